// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PNG by libpng, of eight bits per channel. Nothing is printed. Reading: png.h.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/color_rows.h"
#include "templates/images/guarded.h"
#include "templates/images/picture.h"

#if __has_include(<png.h>)
#include <png.h>
#else
#error "EncodeImage needs png.h of libpng (on Debian: libpng-dev)"
#endif

namespace sinter {
namespace {

struct PngWriter {
  const ColorRows &rows;
  ByteSink &sink;
  png_structp png = nullptr;
  png_infop info = nullptr;
  PixelBytes row;
  int status = kInvalidData;
  jmp_buf onError;

  PngWriter(const ColorRows &rows, ByteSink &sink) : rows(rows), sink(sink) {}
  ~PngWriter() { png_destroy_write_struct(&png, &info); }
};

[[noreturn]] [[maybe_unused]] static inline void leavePngWriter(png_structp png, png_const_charp) {
  longjmp(static_cast<PngWriter *>(png_get_error_ptr(png))->onError, 1);
}

[[maybe_unused]] static inline void putPngBytes(png_structp png, png_bytep bytes, size_t count) {
  PngWriter &writer = *static_cast<PngWriter *>(png_get_io_ptr(png));
  if (writer.sink.add(bytes, count))
    return;
  writer.status = kCapacityExceeded;
  leavePngWriter(png, nullptr);
}

[[maybe_unused]] static inline void encodePng(PngWriter &writer) {
  writer.png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, leavePngWriter, [](png_structp, png_const_charp) {});
  if (!writer.png)
    longjmp(writer.onError, 1);
  writer.info = png_create_info_struct(writer.png);
  if (!writer.info || !writer.row.allocate(1, writer.rows.width(), 3)) {
    writer.status = kCapacityExceeded;
    leavePngWriter(writer.png, nullptr);
  }
  constexpr int fastest = 1, runLengths = 3; // zlib's level, and its Z_RLE
  png_set_write_fn(writer.png, &writer, putPngBytes, [](png_structp) {});
  png_set_filter(writer.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_set_compression_level(writer.png, fastest);
  png_set_compression_strategy(writer.png, runLengths);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(writer.rows.width()),
               static_cast<png_uint_32>(writer.rows.height()), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer.png, writer.info);
  for (int64_t y = 0; y < writer.rows.height(); ++y) {
    writer.rows.copy(y, writer.row.bytes);
    png_write_row(writer.png, writer.row.bytes);
  }
  png_write_end(writer.png, writer.info);
}

[[maybe_unused]] static inline int writePng(const ColorRows &rows, ByteSink &sink) {
  PngWriter writer(rows, sink);
  return survives(writer, encodePng) ? 0 : writer.status;
}

} // namespace
} // namespace sinter
