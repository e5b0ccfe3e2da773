// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pixels of an encoded picture whose size is known (image_size.h). What cannot be decoded is invalid data.
#pragma once

#include "templates/images/read_picture.h"

namespace sinter {
namespace {

struct DecodeImageParams {
  bool is_bgr; ///< of three channels, blue is the first
};

/// The bytes of x lie one behind the other. One channel is gray.
[[maybe_unused]] static inline int decodeImage(const DecodeImageParams &p, const View<const uint8_t, 1> &x,
                                               const View<uint8_t, 3> &y) {
  const bool isGray = y.sizes[2] == 1;
  const Picture picture{y, isGray ? PixelFormat::Grayscale : p.is_bgr ? PixelFormat::Bgr : PixelFormat::Rgb};
  PictureSize size;
  return readPicture(encoded(x), size, &picture);
}

} // namespace
} // namespace sinter
