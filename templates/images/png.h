// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PNG by libpng: of 16 bits the upper eight, palettes as their colors, without what is transparent. Nothing is printed.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/guarded.h"
#include "templates/images/picture.h"

#if __has_include(<png.h>)
#include <png.h>
#else
#error "ImageDecoder needs png.h of libpng (on Debian: libpng-dev)"
#endif

namespace sinter {
namespace {

struct PngReader {
  Encoded in;
  size_t at = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  const Picture *picture = nullptr;
  PixelBytes rows; ///< one, or all where the picture comes in several passes
  int status = kInvalidData;
  jmp_buf onError;

  explicit PngReader(const Encoded &in) : in(in) {}
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] [[maybe_unused]] static inline void leavePng(png_structp png, png_const_charp) {
  longjmp(static_cast<PngReader *>(png_get_error_ptr(png))->onError, 1);
}

[[maybe_unused]] static inline void takeForPng(png_structp png, png_bytep to, size_t count) {
  PngReader &reader = *static_cast<PngReader *>(png_get_io_ptr(png));
  if (!reader.in.has(reader.at, count))
    leavePng(png, nullptr);
  memcpy(to, reader.in.bytes + reader.at, count);
  reader.at += count;
}

[[maybe_unused]] static inline void openPng(PngReader &reader) {
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, leavePng, [](png_structp, png_const_charp) {});
  if (!reader.png)
    longjmp(reader.onError, 1);
  reader.info = png_create_info_struct(reader.png);
  if (!reader.info)
    leavePng(reader.png, nullptr);
  png_set_read_fn(reader.png, &reader, takeForPng);
  png_read_info(reader.png, reader.info);
}

[[maybe_unused]] static inline void decodePng(PngReader &reader) {
  const Picture &picture = *reader.picture;
  png_set_palette_to_rgb(reader.png);
  png_set_expand_gray_1_2_4_to_8(reader.png);
  png_set_strip_16(reader.png);
  png_set_strip_alpha(reader.png);
  png_set_gray_to_rgb(reader.png);
  const int passes = png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  const size_t bytes = static_cast<size_t>(picture.width()) * 3;
  if (png_get_rowbytes(reader.png, reader.info) != bytes)
    leavePng(reader.png, nullptr);
  if (!reader.rows.allocate(passes > 1 ? picture.height() : 1, picture.width(), 3)) {
    reader.status = kCapacityExceeded;
    leavePng(reader.png, nullptr);
  }
  for (int pass = 0; pass < passes; ++pass)
    for (int64_t y = 0; y < picture.height(); ++y) {
      uint8_t *const row = reader.rows.bytes + (passes > 1 ? static_cast<size_t>(y) * bytes : 0);
      png_read_row(reader.png, row, nullptr);
      if (pass == passes - 1)
        picture.putRow(y, row);
    }
}

/// Finds the size, and fills the picture if there is one.
[[maybe_unused]] static inline int readPng(const Encoded &in, PictureSize &size, const Picture *picture) {
  PngReader reader(in);
  if (!survives(reader, openPng))
    return reader.status;
  size = {png_get_image_height(reader.png, reader.info), png_get_image_width(reader.png, reader.info)};
  if (!picture)
    return 0;
  reader.picture = picture;
  return picture->hasSize(size) && survives(reader, decodePng) ? 0 : reader.status;
}

} // namespace
} // namespace sinter
