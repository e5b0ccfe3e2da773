// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weights_image.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace sinter {
namespace {

constexpr size_t pieceBytes = 1 << 16;

bool writeAll(int descriptor, const char *data, size_t size, int64_t offset) {
  while (size) {
    ssize_t written = pwrite(descriptor, data, size, offset);
    if (written <= 0)
      return false;
    data += written;
    size -= static_cast<size_t>(written);
    offset += written;
  }
  return true;
}

bool readAll(int descriptor, char *data, size_t size, int64_t offset) {
  while (size) {
    ssize_t got = pread(descriptor, data, size, offset);
    if (got <= 0)
      return false;
    data += got;
    size -= static_cast<size_t>(got);
    offset += got;
  }
  return true;
}

} // namespace

size_t bytesOf(Numbers numbers) {
  constexpr size_t bytes[] = {1, 2, 4, 8, 4, 8};
  return bytes[static_cast<size_t>(numbers)];
}

Numbers numbersOf(mlir::Type element) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element))
    return numbersOf(complex.getElementType());
  if (element.isF32() || element.isF64())
    return element.isF32() ? Numbers::Floats : Numbers::Doubles;
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return bits <= 8 ? Numbers::Bytes : bits == 16 ? Numbers::Halves : bits == 32 ? Numbers::Words : Numbers::Longs;
}

WeightsImage::WeightsImage(int64_t alignment) : align(alignment) {
  SmallString<128> path;
#ifdef O_TMPFILE // a file that has no name at any moment
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  descriptor = ::open(path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    return;
  path.clear();
#endif
  if (std::error_code error = sys::fs::createTemporaryFile("sinter-weights", "bin", descriptor, path)) {
    problem = error.message();
    return;
  }
  (void)sys::fs::remove(path); // the open descriptor keeps it; nothing is left behind whatever happens
}

WeightsImage::~WeightsImage() {
  if (descriptor >= 0)
    close(descriptor);
}

bool WeightsImage::equals(const Stored &stored, ArrayRef<char> bytes) const {
  char buffer[pieceBytes];
  for (size_t done = 0; done < bytes.size(); done += pieceBytes) {
    size_t size = std::min(pieceBytes, bytes.size() - done);
    if (!readAll(descriptor, buffer, size, stored.offset + static_cast<int64_t>(done)) ||
        memcmp(buffer, bytes.data() + done, size) != 0)
      return false;
  }
  return true;
}

int64_t WeightsImage::append(ArrayRef<char> bytes, Numbers numbers) {
  uint64_t hash = xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  auto [first, last] = byHash.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (it->second.size == static_cast<int64_t>(bytes.size()) && it->second.offset % align == 0 &&
        it->second.numbers == numbers && equals(it->second, bytes))
      return it->second.offset;
  int64_t offset = (end + align - 1) / align * align;
  std::string padding(static_cast<size_t>(offset - end), '\0');
  if (descriptor < 0 || !writeAll(descriptor, padding.data(), padding.size(), end) ||
      !writeAll(descriptor, bytes.data(), bytes.size(), offset)) {
    if (problem.empty())
      problem = std::strerror(errno);
    return -1;
  }
  end = offset + static_cast<int64_t>(bytes.size());
  order.push_back({offset, static_cast<int64_t>(bytes.size()), numbers});
  byHash.emplace(hash, order.back());
  return offset;
}

bool WeightsImage::forEachPiece(int64_t from, int64_t to, llvm::function_ref<bool(ArrayRef<char>)> piece) const {
  std::vector<char> buffer(pieceBytes);
  for (int64_t offset = from; offset < to; offset += pieceBytes) {
    size_t size = static_cast<size_t>(std::min<int64_t>(pieceBytes, to - offset));
    if (!readAll(descriptor, buffer.data(), size, offset) || !piece(ArrayRef(buffer.data(), size)))
      return false;
  }
  return true;
}

std::error_code WeightsImage::writeTo(StringRef path) const {
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (error)
    return error;
  bool done = forEachPiece(0, end, [&](ArrayRef<char> bytes) {
    out.write(bytes.data(), bytes.size());
    return !out.has_error();
  });
  out.close();
  error = out.error();
  out.clear_error();
  return error || done ? error : std::make_error_code(std::errc::io_error); // the temporary file has gone
}

} // namespace sinter
