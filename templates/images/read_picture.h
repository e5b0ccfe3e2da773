// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream's format, by its first bytes, and the decoder of that format.
#pragma once

#include "templates/images/bmp.h"
#include "templates/images/jpeg.h"
#include "templates/images/jpeg2000.h"
#include "templates/images/png.h"
#include "templates/images/pnm.h"
#include "templates/images/tiff.h"
#include "templates/images/webp.h"

namespace sinter {
namespace {

/// Finds the size, and fills the picture if there is one. Streams of no known format are invalid data.
[[maybe_unused]] static inline int readPicture(const Encoded &in, PictureSize &size, const Picture *picture) {
  if (in.beginsWith("\xff\xd8\xff"))
    return readJpeg(in, size, picture);
  if (in.beginsWith("\x89PNG\r\n\x1a\n"))
    return readPng(in, size, picture);
  if (in.beginsWith("RIFF") && in.beginsWith("WEBP", 8))
    return readWebp(in, size, picture);
  if (in.beginsWith("II\x2a\0") || in.beginsWith("MM\0\x2a") || in.beginsWith("II\x2b\0") || in.beginsWith("MM\0\x2b"))
    return readTiff(in, size, picture);
  if (in.beginsWith("\0\0\0\x0cjP  \r\n\x87\n") || in.beginsWith("\xff\x4f\xff\x51"))
    return readJpeg2000(in, size, picture);
  if (in.beginsWith("BM"))
    return readBmp(in, size, picture);
  if (in.beginsWith("P") && in.has(1, 1) && in.bytes[1] >= '1' && in.bytes[1] <= '6')
    return readPnm(in, size, picture);
  return kInvalidData;
}

[[maybe_unused]] static inline Encoded encoded(const View<const uint8_t, 1> &x) {
  return {x.data, static_cast<size_t>(x.sizes[0])};
}

} // namespace
} // namespace sinter
