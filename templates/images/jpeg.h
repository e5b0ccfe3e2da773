// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JPEG by libjpeg, with its defaults: the exact integer DCT, and chroma that is interpolated ("fancy upsampling").
// A stream that ends early is an error; what the library only warns of is not. Nothing is printed.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/guarded.h"
#include "templates/images/picture.h"

#include <stddef.h>
#include <stdio.h>
#if __has_include(<jpeglib.h>)
#include <jpeglib.h>
#else
#error "ImageDecoder needs jpeglib.h of libjpeg (on Debian: libjpeg62-turbo-dev)"
#endif

namespace sinter {
namespace {

struct JpegReader {
  jpeg_decompress_struct info = {};
  jpeg_error_mgr errors = {};
  jpeg_source_mgr source = {};
  jpeg_progress_mgr progress = {};
  const Picture *picture = nullptr;
  jmp_buf onError;

  JpegReader() = default;
  JpegReader(const JpegReader &) = delete;
  JpegReader &operator=(const JpegReader &) = delete;
  ~JpegReader() {
    if (info.mem)
      jpeg_destroy_decompress(&info);
  }
};

[[noreturn]] [[maybe_unused]] static inline void leaveJpeg(j_common_ptr info) {
  longjmp(static_cast<JpegReader *>(info->client_data)->onError, 1);
}
[[maybe_unused]] static inline void nothingOfJpeg(j_decompress_ptr) {}
[[maybe_unused]] static inline boolean endOfJpeg(j_decompress_ptr info) {
  leaveJpeg(reinterpret_cast<j_common_ptr>(info));
}
[[maybe_unused]] static inline void skipInJpeg(j_decompress_ptr info, long count) {
  if (count <= 0)
    return;
  jpeg_source_mgr &source = *info->src;
  if (static_cast<size_t>(count) > source.bytes_in_buffer)
    leaveJpeg(reinterpret_cast<j_common_ptr>(info));
  source.next_input_byte += count;
  source.bytes_in_buffer -= static_cast<size_t>(count);
}
/// Many scans of almost nothing would take a long time, each over the whole picture.
[[maybe_unused]] static inline void limitJpegScans(j_common_ptr info) {
  constexpr int most = 500;
  if (info->is_decompressor && reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > most)
    leaveJpeg(info);
}

[[maybe_unused]] static inline void openJpeg(JpegReader &reader) {
  jpeg_error_mgr &errors = reader.errors;
  reader.info.err = jpeg_std_error(&errors);
  reader.info.client_data = &reader;
  errors.error_exit = leaveJpeg;
  errors.emit_message = [](j_common_ptr, int) {};
  errors.output_message = [](j_common_ptr) {};
  jpeg_create_decompress(&reader.info);
  reader.source.init_source = nothingOfJpeg;
  reader.source.fill_input_buffer = endOfJpeg;
  reader.source.skip_input_data = skipInJpeg;
  reader.source.resync_to_restart = jpeg_resync_to_restart;
  reader.source.term_source = nothingOfJpeg;
  reader.info.src = &reader.source;
  reader.progress.progress_monitor = limitJpegScans;
  reader.info.progress = &reader.progress;
  jpeg_read_header(&reader.info, TRUE);
}

/// Ink as it is stored by convention, its amount subtracted from 255: what white paper shows through color and black.
[[maybe_unused]] static inline uint8_t throughInk(unsigned color, unsigned black) {
  const unsigned dark = (255 - color) * black + 128;
  return static_cast<uint8_t>(black - ((dark + (dark >> 8)) >> 8));
}

[[maybe_unused]] static inline void decodeJpeg(JpegReader &reader) {
  jpeg_decompress_struct &info = reader.info;
  const Picture &picture = *reader.picture;
  switch (info.jpeg_color_space) {
  case JCS_GRAYSCALE:
    info.out_color_space = JCS_GRAYSCALE;
    break;
  case JCS_CMYK:
  case JCS_YCCK:
    info.out_color_space = JCS_CMYK;
    break;
  default:
    info.out_color_space = JCS_RGB;
    break;
  }
  jpeg_start_decompress(&info);
  if (!picture.hasSize({info.output_height, info.output_width}))
    leaveJpeg(reinterpret_cast<j_common_ptr>(&info));
  const unsigned components = static_cast<unsigned>(info.output_components);
  JSAMPARRAY rows =
      (*info.mem->alloc_sarray)(reinterpret_cast<j_common_ptr>(&info), JPOOL_IMAGE, info.output_width * components, 1);
  while (info.output_scanline < info.output_height) {
    const int64_t y = info.output_scanline;
    jpeg_read_scanlines(&info, rows, 1);
    const uint8_t *const row = rows[0];
    for (int64_t x = 0; x < picture.width(); ++x) {
      const uint8_t *const at = row + x * components;
      if (components == 1)
        picture.putGray(y, x, at[0]);
      else if (components == 3)
        picture.put(y, x, at[0], at[1], at[2]);
      else
        picture.put(y, x, throughInk(at[0], at[3]), throughInk(at[1], at[3]), throughInk(at[2], at[3]));
    }
  }
}

/// Finds the size, and fills the picture if there is one.
[[maybe_unused]] static inline int readJpeg(const Encoded &in, PictureSize &size, const Picture *picture) {
  JpegReader reader;
  reader.source.next_input_byte = in.bytes;
  reader.source.bytes_in_buffer = in.size;
  reader.picture = picture;
  if (!survives(reader, openJpeg))
    return kInvalidData;
  size = {reader.info.image_height, reader.info.image_width};
  return !picture || survives(reader, decodeJpeg) ? 0 : kInvalidData;
}

} // namespace
} // namespace sinter
