// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WebP by libwebp, without what is transparent. An animation is no picture.
#pragma once

#include "runtime-lite/index.h"
#include "templates/images/picture.h"

#if __has_include(<webp/decode.h>)
#include <webp/decode.h>
#else
#error "ImageDecoder needs webp/decode.h of libwebp (on Debian: libwebp-dev)"
#endif

namespace sinter {
namespace {

/// Finds the size, and fills the picture if there is one.
[[maybe_unused]] static inline int readWebp(const Encoded &in, PictureSize &size, const Picture *picture) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(in.bytes, in.size, &features) != VP8_STATUS_OK || features.has_animation)
    return kInvalidData;
  size = {features.height, features.width};
  if (!picture)
    return 0;
  if (!picture->hasSize(size))
    return kInvalidData;
  PixelBytes pixels;
  if (!pixels.allocate(size.height, size.width, 3))
    return kCapacityExceeded;
  const size_t stride = static_cast<size_t>(size.width) * 3;
  if (!WebPDecodeRGBInto(in.bytes, in.size, pixels.bytes, stride * static_cast<size_t>(size.height),
                         static_cast<int>(stride)))
    return kInvalidData;
  for (int64_t y = 0; y < size.height; ++y)
    picture->putRow(y, pixels.bytes + static_cast<size_t>(y) * stride);
  return 0;
}

} // namespace
} // namespace sinter
