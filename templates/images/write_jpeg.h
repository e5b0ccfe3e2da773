// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JPEG by libjpeg, straight into a buffer. Nothing is printed. Reading: jpeg.h.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/color_rows.h"
#include "templates/images/guarded.h"

#include <stddef.h>
#include <stdio.h>
#if __has_include(<jpeglib.h>)
#include <jpeglib.h>
#else
#error "EncodeImage needs jpeglib.h of libjpeg (on Debian: libjpeg62-turbo-dev)"
#endif

namespace sinter {
namespace {

struct JpegWriter {
  const ColorRows &rows;
  ByteSink &sink;
  jpeg_compress_struct info = {};
  jpeg_error_mgr errors = {};
  jpeg_destination_mgr target = {};
  int status = kInvalidData;
  jmp_buf onError;

  JpegWriter(const ColorRows &rows, ByteSink &sink) : rows(rows), sink(sink) {}
  JpegWriter(const JpegWriter &) = delete;
  JpegWriter &operator=(const JpegWriter &) = delete;
  ~JpegWriter() {
    if (info.mem)
      jpeg_destroy_compress(&info);
  }
};

[[noreturn]] [[maybe_unused]] static inline void leaveJpegWriter(j_common_ptr info) {
  longjmp(static_cast<JpegWriter *>(info->client_data)->onError, 1);
}
[[maybe_unused]] static inline boolean noRoomForJpeg(j_compress_ptr info) {
  static_cast<JpegWriter *>(info->client_data)->status = kCapacityExceeded;
  leaveJpegWriter(reinterpret_cast<j_common_ptr>(info));
}

[[maybe_unused]] static inline void encodeJpeg(JpegWriter &writer) {
  jpeg_compress_struct &info = writer.info;
  info.err = jpeg_std_error(&writer.errors);
  info.client_data = &writer;
  writer.errors.error_exit = leaveJpegWriter;
  writer.errors.emit_message = [](j_common_ptr, int) {};
  writer.errors.output_message = [](j_common_ptr) {};
  jpeg_create_compress(&info);
  writer.target.next_output_byte = writer.sink.bytes;
  writer.target.free_in_buffer = writer.sink.size;
  writer.target.init_destination = [](j_compress_ptr) {};
  writer.target.empty_output_buffer = noRoomForJpeg;
  writer.target.term_destination = [](j_compress_ptr) {};
  info.dest = &writer.target;
  info.image_width = static_cast<JDIMENSION>(writer.rows.width());
  info.image_height = static_cast<JDIMENSION>(writer.rows.height());
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  constexpr int quality = 95;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 2;
  jpeg_start_compress(&info, TRUE);
  JSAMPARRAY row =
      (*info.mem->alloc_sarray)(reinterpret_cast<j_common_ptr>(&info), JPOOL_IMAGE, info.image_width * 3, 1);
  while (info.next_scanline < info.image_height) {
    writer.rows.copy(info.next_scanline, row[0]);
    jpeg_write_scanlines(&info, row, 1);
  }
  jpeg_finish_compress(&info);
  writer.sink.used = writer.sink.size - writer.target.free_in_buffer;
}

[[maybe_unused]] static inline int writeJpeg(const ColorRows &rows, ByteSink &sink) {
  JpegWriter writer(rows, sink);
  return survives(writer, encodeJpeg) ? 0 : writer.status;
}

} // namespace
} // namespace sinter
