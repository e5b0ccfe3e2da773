// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/picture_file.h"

#include "support/given_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS 16384
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

using namespace llvm;

namespace sinter {

bool isPictureName(StringRef path) {
  std::string end = sys::path::extension(path).lower();
  return is_contained({".png", ".jpg", ".jpeg", ".bmp"}, StringRef(end));
}

/// Whether a BMP has less than its header says, of which stb_image makes black pixels.
static bool isCutBitmap(StringRef bytes) {
  using namespace support::endian;
  constexpr size_t headers = 30;
  if (!bytes.starts_with("BM") || bytes.size() < headers)
    return bytes.starts_with("BM");
  const char *at = bytes.data();
  const bool isOld = read32le(at + 14) == 12; // of OS/2, with sizes of 16 bits
  const int64_t columns = isOld ? read16le(at + 18) : std::abs(int64_t(int32_t(read32le(at + 18)))),
                rows = isOld ? read16le(at + 20) : std::abs(int64_t(int32_t(read32le(at + 22)))),
                bits = read16le(at + (isOld ? 24 : 28)), rowBytes = (columns * bits + 31) / 32 * 4;
  const bool isPacked =
      !isOld && bytes.size() >= 34 && (read32le(at + 30) == 1 || read32le(at + 30) == 2); // run lengths
  if (columns == 0 || rows == 0 || isPacked)
    return !isPacked;
  return int64_t(bytes.size()) < read32le(at + 10) || rowBytes > (int64_t(bytes.size()) - read32le(at + 10)) / rows;
}

Expected<Picture> readPicture(const std::string &path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  if (!file)
    return file.takeError();
  StringRef bytes = (*file)->getBuffer();
  constexpr size_t most = size_t(256) << 20;
  int rows = 0, columns = 0, colors = 0;
  auto data = reinterpret_cast<const stbi_uc *>(bytes.data());
  std::unique_ptr<stbi_uc, decltype(&free)> pixels(nullptr, free);
  if (isCutBitmap(bytes))
    return createStringError(path + " is cut off: it has fewer pixels than it says, or none");
  if (bytes.size() <= most)
    pixels.reset(stbi_load_from_memory(data, static_cast<int>(bytes.size()), &columns, &rows, &colors, 3));
  if (!pixels || rows <= 0 || columns <= 0)
    return createStringError(path + " is no PNG, JPEG or BMP that can be read" +
                             (bytes.size() <= most && !pixels ? ": " + std::string(stbi_failure_reason()) : ""));
  return Picture{rows, columns, {pixels.get(), pixels.get() + int64_t(rows) * columns * 3}};
}

} // namespace sinter
