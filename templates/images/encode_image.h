// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture of three channels as a PNG or a JPEG, with the settings of onnxruntime-extensions, which are OpenCV's: PNG
// with the filter "sub" and run-length compression of level 1; JPEG of quality 95, chroma halved in both directions.
#pragma once

#include "templates/images/write_jpeg.h"
#include "templates/images/write_png.h"

namespace sinter {
namespace {

struct EncodeImageParams {
  bool is_bgr; ///< blue is the first channel
  bool is_jpeg;
};

/// `stream` has room for any picture; `count` bytes of it are used.
[[maybe_unused]] static inline int encodeImage(const EncodeImageParams &p, const View<const uint8_t, 3> &x,
                                               const View<uint8_t, 1> &stream, const View<int64_t, 0> &count) {
  ByteSink sink{stream.data, static_cast<size_t>(stream.sizes[0])};
  const ColorRows rows{x, p.is_bgr};
  *count.data = 0;
  const int status = p.is_jpeg ? writeJpeg(rows, sink) : writePng(rows, sink);
  if (status == 0)
    *count.data = static_cast<int64_t>(sink.used);
  return status;
}

} // namespace
} // namespace sinter
