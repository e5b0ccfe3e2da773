// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without the matrix unit: products in float, equal to a chain of fused multiply-adds; depthwise convolutions.
#include "device_test.h"

#include "templates/cuda/depthwise_strip.h"
#include "templates/cuda/simt_conv.h"
#include "templates/cuda/simt_gemm.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class Tile, bool kByColumns>
void checkSimt(int m, int n, int k) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  const int ldb = kByColumns ? k + 1 : n + 1;
  Tensor<float> a(size_t(m * (k + 1)), 1, -1.0f, 1.0f), b(size_t(ldb * (kByColumns ? n : k)), 2, -1.0f, 1.0f);
  Tensor<float> c(size_t(m * n));
  emulation::Grid grid;
  grid.x = ceilDiv(m, Tile::kM), grid.y = ceilDiv(n, Tile::kN);
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  runInAllOrders(grid, c, [&] {
    simtGemm<Tile, kByColumns>(a.data(), k + 1, b.data(), ldb, c.data(), n, m, n, k,
                               [](float sum, int i, int j) { return sum + float(i * 2 + j); });
  });
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p)
        sum = std::fma(a[size_t(i * (k + 1) + p)], b[size_t(kByColumns ? j * ldb + p : p * ldb + j)], sum);
      CHECK(c[size_t(i * n + j)] == sum + float(i * 2 + j));
    }
  }
}

template <class Tile>
void checkConv(const ConvShape &s, int filters) {
  CAPTURE(s.channels);
  CAPTURE(filters);
  const int ldb = s.depth(), ldc = filters + 3;
  Tensor<float> in(size_t(s.images * s.image()), 1, -1.0f, 1.0f);
  Tensor<float> weights(size_t(filters * ldb), 2, -1.0f, 1.0f), out(size_t(s.rows() * ldc));
  emulation::Grid grid;
  grid.x = ceilDiv(s.rows(), Tile::kM), grid.y = ceilDiv(filters, Tile::kN);
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  runInAllOrders(grid, out, [&] {
    simtConv<Tile>(in.data(), weights.data(), ldb, out.data(), ldc, s, filters,
                   [](float sum, int n, int c, int y, int x) { return sum + float(n + 2 * c + 3 * y + 5 * x); });
  });
  for (int pixel = 0; pixel < s.rows(); ++pixel) {
    const int x = pixel % s.outWidth, y = pixel / s.outWidth % s.outHeight, image = pixel / s.outWidth / s.outHeight;
    for (int c = 0; c < filters; ++c) {
      float sum = 0;
      for (int k = 0; k < s.depth(); ++k) {
        const int tap = k / s.channels, row = y * s.strideY - s.padTop + tap / s.kernelWidth * s.dilationY;
        const int column = x * s.strideX - s.padLeft + tap % s.kernelWidth * s.dilationX;
        const int c0 = k % s.channels;
        const int at = s.hasPlanes ? ((image * s.channels + c0) * s.height + row) * s.width + column
                                   : ((image * s.height + row) * s.width + column) * s.pixel() + c0;
        sum = std::fma(s.contains(row, column) ? in[size_t(at)] : 0.0f, weights[size_t(c * ldb + k)], sum);
      }
      CHECK(out[size_t(pixel * ldc + c)] == sum + float(image + 2 * c + 3 * y + 5 * x));
    }
  }
}

template <class T, int kPack, int kStrip, int kHeight, int kWidth>
void checkDepthwise(const ConvShape &s, int padding = 0) {
  CAPTURE(s.channels);
  Tensor<T> in(size_t(s.images * s.image()), 1, -1.0f, 1.0f);
  const int ldc = s.channels + padding;
  Tensor<T> filter(size_t(s.depth()), 2, -1.0f, 1.0f), out(size_t(s.rows() * ldc));
  emulation::Grid grid;
  grid.threads = 64;
  grid.x = ceilDiv(depthwiseThreads<kPack, kStrip>(s), 64);
  runInAllOrders(grid, out, [&] {
    depthwise<T, kPack, kStrip, kHeight, kWidth>(
        in.data(), filter.data(), out.data(), ldc, s, 64,
        [](float sum, int pixel, int c) { return sum + float(pixel % 3 + c % 2); });
  });
  for (int pixel = 0; pixel < s.rows(); ++pixel) {
    const int x = pixel % s.outWidth, y = pixel / s.outWidth % s.outHeight, image = pixel / s.outWidth / s.outHeight;
    for (int c = 0; c < s.channels; ++c) {
      double sum = pixel % 3 + c % 2;
      for (int tap = 0; tap < kHeight * kWidth; ++tap) {
        const int row = y * s.strideY - s.padTop + tap / kWidth * s.dilationY;
        const int column = x * s.strideX - s.padLeft + tap % kWidth * s.dilationX;
        if (s.contains(row, column))
          sum += in.at(((image * s.height + row) * s.width + column) * s.pixel() + c) * filter.at(tap * s.channels + c);
      }
      CHECK(std::fabs(out.at(pixel * ldc + c) - sum) < 20 * double(kTolerance<T>));
    }
  }
}

/// Of bytes, exactly.
template <class T, int kPack, int kStrip, int kHeight, int kWidth>
void checkByteDepthwise(ConvShape s, int outside) {
  s.outside = outside;
  CAPTURE(outside);
  Tensor<T> in(size_t(s.images * s.height * s.width * s.channels), 1, 0, 0);
  Tensor<int8_t> filter(size_t(s.depth()), 2, 0, 0);
  Tensor<int32_t> out(size_t(s.rows() * s.channels));
  emulation::Grid grid;
  grid.threads = 64;
  grid.x = ceilDiv(depthwiseThreads<kPack, kStrip>(s), 64);
  runInAllOrders(grid, out, [&] {
    depthwise<T, kPack, kStrip, kHeight, kWidth>(in.data(), filter.data(), out.data(), s.channels, s, 64,
                                                 [](int32_t sum, int, int) { return sum; });
  });
  for (int i = 0; i < s.rows() * s.channels; ++i) {
    const int pixel = i / s.channels, c = i % s.channels, x = pixel % s.outWidth, y = pixel / s.outWidth % s.outHeight;
    const int image = pixel / s.outWidth / s.outHeight;
    int32_t sum = 0;
    for (int tap = 0; tap < kHeight * kWidth; ++tap) {
      const int row = y * s.strideY - s.padTop + tap / kWidth * s.dilationY;
      const int column = x * s.strideX - s.padLeft + tap % kWidth * s.dilationX;
      const int value = s.contains(row, column)
                            ? in[size_t(((image * s.height + row) * s.width + column) * s.channels + c)]
                            : outside;
      sum += value * filter[size_t(tap * s.channels + c)];
    }
    CHECK(out[size_t(i)] == sum);
  }
}

} // namespace

TEST_CASE("products in float are one chain of fused multiply-adds") {
  checkSimt<SimtTile<32, 32, 16, 4, 2>, true>(33, 40, 37);
  checkSimt<SimtTile<32, 32, 16, 4, 2>, false>(5, 70, 16);
  checkSimt<SimtTile<64, 64, 16, 4, 4>, true>(70, 33, 50);
  checkSimt<SimtTile<128, 128, 16, 8, 8>, false>(130, 17, 33);
  checkSimt<SimtTile<128, 128, 16, 8, 8>, true>(1, 1, 1);
}

TEST_CASE("convolutions in float: strides, dilation, padding, channels that are no whole steps") {
  checkConv<SimtTile<32, 32, 16, 4, 2>>({1, 7, 9, 5, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1}, 7);
  checkConv<SimtTile<32, 32, 16, 4, 2>>({2, 9, 8, 16, 3, 2, 4, 4, 2, 2, 1, 1, 0, 1}, 40);
  checkConv<SimtTile<64, 64, 16, 4, 4>>({1, 11, 10, 3, 3, 3, 7, 8, 1, 1, 2, 1, 0, 0}, 66);
  checkConv<SimtTile<32, 32, 16, 4, 2>>({2, 11, 10, 3, 3, 3, 6, 5, 2, 2, 1, 1, 1, 1, 0, true}, 20); // from planes
  // Of a wider map.
  checkConv<SimtTile<32, 32, 16, 4, 2>>({2, 7, 9, 5, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1, 0, false, 12}, 7);
}

TEST_CASE("depthwise convolutions: strides, dilation, strips that end outside, channels that are no packs") {
  checkDepthwise<f16, 8, 4, 3, 3>({1, 7, 9, 24, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1});
  checkDepthwise<f16, 8, 4, 3, 3>({2, 9, 8, 8, 3, 3, 5, 4, 2, 2, 1, 1, 1, 0});
  checkDepthwise<f16, 1, 2, 5, 5>({1, 6, 7, 3, 5, 5, 6, 7, 1, 1, 1, 1, 2, 2});
  checkDepthwise<float, 4, 2, 3, 3>({2, 6, 6, 8, 3, 3, 6, 6, 1, 1, 1, 1, 1, 1, 0, false, 20}, 12); // of wider maps
  checkDepthwise<f16, 8, 2, 7, 7>({1, 9, 10, 8, 7, 7, 9, 10, 1, 1, 1, 1, 3, 3});    // two lines at a time
  checkDepthwise<f16, 8, 4, 7, 7>({1, 9, 10, 8, 7, 7, 9, 10, 1, 1, 1, 1, 3, 3});    // one
  checkDepthwise<f16, 8, 1, 2, 31>({1, 3, 35, 8, 2, 31, 3, 35, 1, 1, 1, 1, 1, 15}); // none
  checkDepthwise<float, 4, 4, 3, 3>({1, 9, 13, 4, 3, 3, 3, 5, 3, 3, 1, 1, 1, 1});   // a stride above 2
  checkDepthwise<float, 4, 4, 3, 2>({1, 10, 11, 12, 3, 2, 6, 9, 1, 1, 2, 2, 0, 0});
}

TEST_CASE("depthwise convolutions of bytes, which are not zero outside") {
  for (const int outside : {0, -128, 9})
    checkByteDepthwise<int8_t, 8, 4, 3, 3>({1, 7, 9, 24, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1}, outside);
  checkByteDepthwise<uint8_t, 8, 2, 3, 3>({2, 9, 8, 8, 3, 3, 5, 4, 2, 2, 1, 1, 1, 0}, 200);
  checkByteDepthwise<uint8_t, 1, 2, 5, 5>({1, 6, 7, 3, 5, 5, 6, 7, 1, 1, 1, 1, 2, 2}, 3);
}
