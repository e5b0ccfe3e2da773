// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution in float without the matrix unit, as simt_gemm.h's product, without a copy of its windows: pixels and
// channels NHWC, or planes, filters [filter][kernel row][kernel column][channel]. Row i of A is output pixel i; its k
// runs over (r, s, channel). Each sum is one chain of fused multiply-adds in that order. Grid and block: simt_gemm.h
// with m = images * outputs, n = filters.
#pragma once

#include "templates/cuda/conv_shape.h"
#include "templates/cuda/simt_gemm.h"

namespace sinter::cuda {
namespace {

/// A step's elements of kLines windows. A thread has one k of kLines kK / kThreads windows.
template <int kLines, int kK, int kThreads>
class SimtWindows {
public:
  SINTER_DEVICE SimtWindows(const float *in, const ConvShape &shape, int firstRow)
      : shape(shape), k(threadIndex() % kK) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i) {
      const int pixel = firstRow + line() + i * kApart;
      const int x = pixel % shape.outWidth, row = pixel / shape.outWidth;
      const int y = row % shape.outHeight, image = row / shape.outHeight;
      left[i] = x * shape.strideX - shape.padLeft;
      // A row past the last is above every picture: nothing of it is read.
      top[i] = pixel < shape.rows() ? y * shape.strideY - shape.padTop : -(1 << 28);
      base[i] = in + image * shape.image();
    }
  }
  /// The next step; zeros outside.
  SINTER_DEVICE void load() {
    const int channel = k % shape.channels, tap = k / shape.channels;
    const int x = tap % shape.kernelWidth * shape.dilationX, y = tap / shape.kernelWidth * shape.dilationY;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i) {
      const bool isThere = k < shape.depth() && shape.contains(top[i] + y, left[i] + x);
      at[i] = isThere ? base[i][shape.place(top[i] + y, left[i] + x, channel)] : 0.0f;
    }
    k += kK;
  }
  SINTER_DEVICE void store(float *to, int pitch) const {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i)
      to[threadIndex() % kK * pitch + line() + i * kApart] = at[i];
  }

private:
  static constexpr int kCount = kLines * kK / kThreads, kApart = kThreads / kK;
  static_assert(kThreads % kK == 0 && kLines * kK % kThreads == 0);
  static SINTER_DEVICE int line() { return threadIndex() / kK; }

  const float *base[kCount];
  ConvShape shape;
  int top[kCount], left[kCount]; ///< each row's window
  int k;                         ///< of the step that is loaded next
  float at[kCount];
};

/// `epilogue(sum, image, filter, y, x)`; out: pixels, ldc apart. Filters: ldb apart.
template <class Tile, class TC, class Epilogue>
SINTER_DEVICE void simtConv(const float *in, const float *filters, int ldb, TC *out, int ldc, const ConvShape &shape,
                            int n, Epilogue epilogue) {
  const int k = shape.depth();
  SimtWindows<Tile::kM, Tile::kK, Tile::kThreads> windows(in, shape, blockX() * Tile::kM);
  SimtFetch<Tile::kN, Tile::kK, Tile::kThreads, true> rows(filters, ldb, blockY() * Tile::kN, n, k);
  OfPixels<Epilogue> ofPixels{shape, epilogue};
  simtProduct<Tile>(windows, rows, out, ldc, shape.rows(), n, k, ofPixels);
}

} // namespace
} // namespace sinter::cuda
