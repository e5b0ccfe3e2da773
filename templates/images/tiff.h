// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TIFF by libtiff from 4.5 on, whose messages go to functions of one file rather than of the process: the first page,
// turned as its orientation says, without what is transparent.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/picture.h"

#if __has_include(<tiffio.h>)
#include <tiffio.h>
#else
#error "ImageDecoder needs tiffio.h of libtiff (on Debian: libtiff-dev)"
#endif

namespace sinter {
namespace {

/// The stream as a file in which the library reads.
struct TiffStream {
  Encoded in;
  uint64_t at = 0;

  static tmsize_t read(thandle_t handle, void *to, tmsize_t count) {
    TiffStream &stream = *static_cast<TiffStream *>(handle);
    if (count <= 0 || stream.at >= stream.in.size)
      return 0;
    const size_t left = stream.in.size - static_cast<size_t>(stream.at), wished = static_cast<size_t>(count);
    const size_t taken = wished < left ? wished : left;
    memcpy(to, stream.in.bytes + stream.at, taken);
    stream.at += taken;
    return static_cast<tmsize_t>(taken);
  }
  static tmsize_t write(thandle_t, void *, tmsize_t) { return 0; }
  static toff_t seek(thandle_t handle, toff_t offset, int from) {
    TiffStream &stream = *static_cast<TiffStream *>(handle);
    stream.at = offset + (from == SEEK_CUR ? stream.at : from == SEEK_END ? stream.in.size : 0);
    return stream.at;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t handle) { return static_cast<TiffStream *>(handle)->in.size; }
};

struct TiffReader {
  TiffStream stream;
  TIFF *file = nullptr;

  /// `most`: bytes that the library may allocate at a time, whatever the stream says.
  TiffReader(const Encoded &in, int64_t most) : stream{in} {
    TIFFOpenOptions *const options = TIFFOpenOptionsAlloc();
    if (!options)
      return;
    const auto ignore = [](TIFF *, void *, const char *, const char *, va_list) { return 1; };
    TIFFOpenOptionsSetErrorHandlerExtR(options, ignore, nullptr);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, nullptr);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, static_cast<tmsize_t>(most));
    file = TIFFClientOpenExt("", "rm", &stream, TiffStream::read, TiffStream::write, TiffStream::seek,
                             TiffStream::close, TiffStream::size, nullptr, nullptr, options);
    TIFFOpenOptionsFree(options);
  }
  TiffReader(const TiffReader &) = delete;
  TiffReader &operator=(const TiffReader &) = delete;
  ~TiffReader() {
    if (file)
      TIFFClose(file);
  }
};

/// Premultiplied colors would be made of those that are not: an alpha that is of no use is called by the other name.
[[maybe_unused]] static inline void keepTiffColors(TIFF *file) {
  uint16_t count = 0, *kinds = nullptr;
  if (!TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &count, &kinds) || count != 1 || !kinds)
    return;
  uint16_t premultiplied = EXTRASAMPLE_ASSOCALPHA;
  if (*kinds == EXTRASAMPLE_UNASSALPHA)
    TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &premultiplied);
}

/// The pixels as they are stored, a row behind the other, red in the lowest byte.
[[maybe_unused]] static inline bool readTiffRaster(TIFF *file, uint32_t width, uint32_t height, uint32_t *raster) {
  TIFFRGBAImage image;
  char ignored[1024];
  keepTiffColors(file);
  if (!TIFFRGBAImageOK(file, ignored) || !TIFFRGBAImageBegin(&image, file, /*stopOnError=*/1, ignored))
    return false;
  image.req_orientation = image.orientation;
  const bool isRead = TIFFRGBAImageGet(&image, raster, width, height) != 0;
  TIFFRGBAImageEnd(&image);
  return isRead;
}

/// Finds the size, and fills the picture if there is one.
[[maybe_unused]] static inline int readTiff(const Encoded &in, PictureSize &size, const Picture *picture) {
  const int64_t pixels = picture ? picture->height() * picture->width() : 0;
  TiffReader reader(in, (int64_t(64) << 20) + 16 * pixels);
  uint32_t width = 0, height = 0;
  uint16_t orientation = ORIENTATION_TOPLEFT;
  if (!reader.file || !TIFFGetField(reader.file, TIFFTAG_IMAGEWIDTH, &width) ||
      !TIFFGetField(reader.file, TIFFTAG_IMAGELENGTH, &height) || width == 0 || height == 0)
    return kInvalidData;
  TIFFGetFieldDefaulted(reader.file, TIFFTAG_ORIENTATION, &orientation);
  const bool isTransposed = orientation >= ORIENTATION_LEFTTOP && orientation <= ORIENTATION_LEFTBOT;
  size = isTransposed ? PictureSize{width, height} : PictureSize{height, width};
  if (!picture)
    return 0;
  if (!picture->hasSize(size))
    return kInvalidData;
  PixelBytes bytes;
  if (!bytes.allocate(height, width, sizeof(uint32_t)))
    return kCapacityExceeded;
  uint32_t *const raster = reinterpret_cast<uint32_t *>(bytes.bytes);
  if (!readTiffRaster(reader.file, width, height, raster))
    return kInvalidData;
  const bool isUpward = orientation == ORIENTATION_BOTRIGHT || orientation == ORIENTATION_BOTLEFT ||
                        orientation == ORIENTATION_RIGHTBOT || orientation == ORIENTATION_LEFTBOT;
  const bool isLeftward = orientation == ORIENTATION_TOPRIGHT || orientation == ORIENTATION_BOTRIGHT ||
                          orientation == ORIENTATION_RIGHTTOP || orientation == ORIENTATION_RIGHTBOT;
  for (int64_t y = 0; y < size.height; ++y)
    for (int64_t x = 0; x < size.width; ++x) {
      const int64_t down = isUpward ? size.height - 1 - y : y, right = isLeftward ? size.width - 1 - x : x;
      const uint32_t pixel = raster[isTransposed ? right * width + down : down * width + right];
      picture->put(y, x, TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel));
    }
  return 0;
}

} // namespace
} // namespace sinter
