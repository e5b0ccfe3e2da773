// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What encoders read and write: a picture by rows of red, green and blue; bytes in a buffer that may be too small.
#pragma once

#include "runtime-lite/view.h"

namespace sinter {
namespace {

struct ColorRows {
  View<const uint8_t, 3> pixels;
  bool isBgr;

  int64_t height() const { return pixels.sizes[0]; }
  int64_t width() const { return pixels.sizes[1]; }
  void copy(int64_t y, uint8_t *rgb) const {
    for (int64_t x = 0; x < width(); ++x)
      for (int64_t c = 0; c < 3; ++c)
        rgb[3 * x + (isBgr ? 2 - c : c)] =
            pixels.data[y * pixels.strides[0] + x * pixels.strides[1] + c * pixels.strides[2]];
  }
};

struct ByteSink {
  uint8_t *bytes;
  size_t size, used = 0;

  bool add(const uint8_t *from, size_t count) {
    if (count > size - used)
      return false;
    memcpy(bytes + used, from, count);
    used += count;
    return true;
  }
};

} // namespace
} // namespace sinter
