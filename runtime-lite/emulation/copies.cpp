// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies into shared memory: NaN stands there until the wait that covers them, the latest moment that is allowed.
#include "threads.h"

#include <cstring>

namespace sinter::cuda::emulation {

void copyChunk(void *to, const void *from, int bytes, bool isAsync) {
  if (reinterpret_cast<uintptr_t>(to) % 16 || (bytes > 0 && reinterpret_cast<uintptr_t>(from) % 16))
    fail("a copy of 16 bytes that is not aligned");
  if (bytes < 0 || bytes > 16)
    fail("a copy of less than 0 or more than 16 bytes");
  auto *const target = static_cast<unsigned char *>(to);
  if (target < sharedMemory() || target + 16 > sharedMemory() + sharedBytes())
    fail("a copy that ends outside of shared memory");
  const PendingCopy copy{target, static_cast<const unsigned char *>(from), bytes, running().group};
  noteRead(from, size_t(bytes));
  noteWrite(target, 16);
  std::memset(target, isAsync ? 0xff : 0, 16);
  if (isAsync)
    running().copies.push_back(copy);
  else if (bytes)
    std::memcpy(target, from, size_t(bytes));
}
void commitCopies() { ++running().group; }
void waitCopies(int later) {
  Thread &thread = running();
  size_t kept = 0;
  for (const PendingCopy &copy : thread.copies) {
    if (copy.group >= thread.group - later) {
      thread.copies[kept++] = copy;
      continue;
    }
    noteWrite(copy.to, 16);
    std::memset(copy.to, 0, 16);
    if (copy.bytes)
      std::memcpy(copy.to, copy.from, size_t(copy.bytes));
  }
  thread.copies.resize(kept);
}

} // namespace sinter::cuda::emulation
