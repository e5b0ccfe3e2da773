// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mapped_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/SHA256.h"

#include <sys/mman.h>

using namespace llvm;

namespace sinter {

void releasePages(const MemoryBuffer &file) {
  if (file.getBufferKind() != MemoryBuffer::MemoryBuffer_MMap || file.getBufferSize() == 0)
    return;
  auto page = static_cast<uintptr_t>(sys::Process::getPageSizeEstimate());
  uintptr_t begin = reinterpret_cast<uintptr_t>(file.getBufferStart()) / page * page;
  // Read-only and private: nothing in these pages is ours. A failure only costs memory.
  (void)::madvise(reinterpret_cast<void *>(begin), reinterpret_cast<uintptr_t>(file.getBufferEnd()) - begin,
                  MADV_DONTNEED);
}

template <class Hash>
static std::string digest(const MemoryBuffer &file) {
  constexpr size_t pieceBytes = 4 << 20;
  Hash hash;
  for (StringRef rest = file.getBuffer(); !rest.empty(); rest = rest.drop_front(std::min(pieceBytes, rest.size()))) {
    hash.update(rest.take_front(pieceBytes));
    releasePages(file);
  }
  return toHex(hash.final(), /*LowerCase=*/true);
}

std::string sha256(const MemoryBuffer &file) { return digest<SHA256>(file); }

std::string sha1(const MemoryBuffer &file) { return digest<SHA1>(file); }

} // namespace sinter
