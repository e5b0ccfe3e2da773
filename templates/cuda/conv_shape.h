// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of a convolution over pixels and channels (NHWC), or from planes of channels to pixels (NCHW to NHWC), as
// nets have it whose input is a picture of three planes. Literal where they are used, so that divisions by them
// become multiplications.
#pragma once

#include "templates/cuda/device.h"

namespace sinter::cuda {
namespace {

/// In elements.
struct ConvShape {
  int images, height, width, channels;
  int kernelHeight, kernelWidth, outHeight, outWidth;
  int strideY = 1, strideX = 1, dilationY = 1, dilationX = 1, padTop = 0, padLeft = 0;
  int outside = 0;        ///< what is read outside of a picture of bytes
  bool hasPlanes = false; ///< of the input: each channel is a plane
  int pitch = 0;          ///< from an input pixel to the next, where that is not its channels: part of a wider map

  /// The same as a word.
  SINTER_DEVICE constexpr uint32_t outsideWord() const { return uint32_t(uint8_t(outside)) * 0x01010101u; }

  /// Output pixels, and terms of each sum.
  SINTER_DEVICE constexpr int rows() const { return images * outHeight * outWidth; }
  SINTER_DEVICE constexpr int depth() const { return kernelHeight * kernelWidth * channels; }
  /// Elements of the input from its start.
  SINTER_DEVICE constexpr int64_t image() const { return int64_t(height) * width * pixel(); }
  SINTER_DEVICE constexpr int pixel() const { return pitch == 0 ? channels : pitch; }
  SINTER_DEVICE constexpr int place(int y, int x, int channel) const {
    return hasPlanes ? (channel * height + y) * width + x : (y * width + x) * pixel() + channel;
  }
  /// Windows are the pixels themselves.
  SINTER_DEVICE constexpr bool isPointwise() const {
    return kernelHeight == 1 && kernelWidth == 1 && strideY == 1 && strideX == 1 && padTop == 0 && padLeft == 0 &&
           height == outHeight && width == outWidth && !hasPlanes;
  }
  SINTER_DEVICE constexpr bool contains(int y, int x) const {
    return uint32_t(y) < uint32_t(height) && uint32_t(x) < uint32_t(width);
  }
};

/// `epilogue(sum, image, filter, y, x)` as one of (sum, pixel, filter).
template <class Epilogue>
struct OfPixels {
  ConvShape shape;
  Epilogue epilogue;

  template <class V>
  SINTER_DEVICE auto operator()(V sum, int pixel, int filter) const {
    const int x = pixel % shape.outWidth, row = pixel / shape.outWidth;
    return epilogue(sum, row / shape.outHeight, filter, row % shape.outHeight, x);
  }
};

} // namespace
} // namespace sinter::cuda
