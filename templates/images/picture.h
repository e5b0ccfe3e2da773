// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture of bytes, height x width x channels, as decoders fill it: they give red, green and blue, and the picture
// stores what its format asks for. Gray is the luma of ITU-R BT.601 in 16-bit fixed point, rounded, as Pillow has it.
#pragma once

#include "templates/images/encoded.h"

#include <stdlib.h>

namespace sinter {
namespace {

enum class PixelFormat { Rgb, Bgr, Grayscale };

struct Picture {
  View<uint8_t, 3> pixels;
  PixelFormat format;

  int64_t height() const { return pixels.sizes[0]; }
  int64_t width() const { return pixels.sizes[1]; }
  bool hasSize(const PictureSize &size) const { return height() == size.height && width() == size.width; }

  void put(int64_t y, int64_t x, uint8_t red, uint8_t green, uint8_t blue) const {
    uint8_t *const at = pixels.data + y * pixels.strides[0] + x * pixels.strides[1];
    if (format == PixelFormat::Grayscale) {
      *at = static_cast<uint8_t>((red * 19595u + green * 38470u + blue * 7471u + 0x8000u) >> 16);
      return;
    }
    const bool isBgr = format == PixelFormat::Bgr;
    at[0] = isBgr ? blue : red;
    at[pixels.strides[2]] = green;
    at[2 * pixels.strides[2]] = isBgr ? red : blue;
  }
  void putGray(int64_t y, int64_t x, uint8_t gray) const { put(y, x, gray, gray, gray); }
  /// A row of pixels of three bytes.
  void putRow(int64_t y, const uint8_t *rgb) const {
    for (int64_t x = 0; x < width(); ++x)
      put(y, x, rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2]);
  }
};

/// Memory of the heap, which the libraries use as well: pixels as a library writes them.
struct PixelBytes {
  uint8_t *bytes = nullptr;

  PixelBytes() = default;
  PixelBytes(const PixelBytes &) = delete;
  PixelBytes &operator=(const PixelBytes &) = delete;
  ~PixelBytes() { free(bytes); }
  bool allocate(int64_t height, int64_t width, size_t bytesPerPixel) {
    const size_t row = static_cast<size_t>(width) * bytesPerPixel;
    bytes = static_cast<uint8_t *>(calloc(static_cast<size_t>(height), row));
    return bytes != nullptr;
  }
};

} // namespace
} // namespace sinter
