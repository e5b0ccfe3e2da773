// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on the matrix unit against their definition: strides, dilation, padding, channels that are no chunks,
// bytes.
#include "device_test.h"

#include "templates/cuda/tile_conv.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class T>
using Tile = BlockTile<T, 32, 32, 128, 16, 16, 3>;

template <class T, class F>
std::vector<double> convOf(const Tensor<T> &in, const Tensor<F> &filters, const ConvShape &s, int n) {
  std::vector<double> out;
  for (int pixel = 0; pixel < s.rows(); ++pixel) {
    const int x = pixel % s.outWidth, y = pixel / s.outWidth % s.outHeight, image = pixel / s.outWidth / s.outHeight;
    for (int f = 0; f < n; ++f) {
      double sum = 0;
      for (int i = 0; i < s.depth(); ++i) {
        const int c = i % s.channels, tap = i / s.channels;
        const int column = x * s.strideX - s.padLeft + tap % s.kernelWidth * s.dilationX;
        const int row = y * s.strideY - s.padTop + tap / s.kernelWidth * s.dilationY;
        const bool isInside = row >= 0 && row < s.height && column >= 0 && column < s.width;
        const int plane = image * s.channels + c, line = image * s.height + row;
        const int at =
            s.hasPlanes ? (plane * s.height + row) * s.width + column : (line * s.width + column) * s.pixel() + c;
        sum += (isInside ? in.at(at) : s.outside) * filters.at(f * s.depth() + i);
      }
      out.push_back(sum);
    }
  }
  return out;
}

template <class T, bool kAligned>
void checkConv(const ConvShape &s, int n, int splits = 1) {
  using Shape = Tile<T>;
  CAPTURE(s.channels);
  CAPTURE(s.kernelWidth);
  Tensor<T> in(size_t(s.images * s.image()), 1, -1.0f, 1.0f);
  Tensor<T> filters(size_t(n * s.depth()), 2, -1.0f, 1.0f), out(size_t(s.rows() * n));
  emulation::Grid grid;
  grid.x = ceilDiv(s.rows(), Shape::kM);
  grid.y = ceilDiv(n, Shape::kN);
  grid.z = splits;
  grid.threads = Shape::kThreads;
  grid.sharedBytes = Shape::kSharedBytes;
  Tensor<float> partials(size_t(grid.x * grid.y * splits * Shape::kM * Shape::kN));
  std::vector<uint32_t> counters(100);
  const auto epilogue = [](float sum, int, int) { return sum; };
  runInAllOrders(grid, out, [&] {
    if (splits == 1)
      conv<Shape, kAligned>(in.data(), filters.data(), s.depth(), out.data(), n, s, n, epilogue);
    else
      splitConv<Shape, kAligned>(in.data(), filters.data(), s.depth(), out.data(), n, s, n, splits, partials.data(),
                                 counters.data(), epilogue);
  });
  CHECK(relativeError(out, convOf(in, filters, s, n)) < kTolerance<T>);
}

/// Sums of bytes are exact.
template <class T, bool kAligned>
void checkBytes(ConvShape s, int n, int outside) {
  using Shape = Tile<T>;
  s.outside = outside;
  CAPTURE(s.channels);
  Tensor<T> in(size_t(s.images * s.height * s.width * s.channels), 1, 0, 0);
  Tensor<int8_t> filters(size_t(n * s.depth()), 2, 0, 0);
  Tensor<int32_t> out(size_t(s.rows() * n));
  emulation::Grid grid;
  grid.x = ceilDiv(s.rows(), Shape::kM);
  grid.y = ceilDiv(n, Shape::kN);
  grid.threads = Shape::kThreads;
  grid.sharedBytes = Shape::kSharedBytes;
  runInAllOrders(grid, out, [&] {
    conv<Shape, kAligned>(in.data(), filters.data(), s.depth(), out.data(), n, s, n,
                          [](int32_t sum, int, int) { return sum; });
  });
  CHECK(relativeError(out, convOf(in, filters, s, n)) == 0);
}

} // namespace

TEST_CASE("channels in whole chunks") {
  checkConv<f16, true>({1, 7, 9, 16, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1}, 24);
  checkConv<f16, true>({2, 9, 8, 8, 3, 3, 5, 4, 2, 2, 1, 1, 1, 0}, 33);
  checkConv<f16, true>({1, 6, 6, 72, 1, 1, 3, 3, 2, 2}, 8);
  checkConv<f16, true>({1, 12, 11, 8, 3, 5, 8, 7, 1, 1, 2, 1, 0, 0}, 16);
}

TEST_CASE("windows that are pixels") {
  checkConv<f16, true>({2, 5, 7, 72, 1, 1, 5, 7}, 33);
  checkConv<f16, true>({1, 6, 6, 16, 1, 1, 6, 6, 1, 1, 1, 1, 0, 0, 0, false, 40}, 8, 2);
  checkConv<f16, false>({1, 6, 5, 13, 1, 1, 6, 5}, 7);
  checkConv<f16, true>({1, 6, 6, 16, 1, 1, 8, 8, 1, 1, 1, 1, 1, 1}, 8); // padded: not all are
}

TEST_CASE("any channels, element by element") {
  checkConv<f16, false>({1, 11, 10, 3, 7, 7, 6, 5, 2, 2, 1, 1, 3, 3}, 20);
  checkConv<f16, false>({2, 5, 6, 5, 3, 2, 5, 5, 1, 1, 1, 1, 1, 0}, 7);
}

TEST_CASE("pixels that are part of a wider map") {
  checkConv<f16, true>({2, 7, 9, 16, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1, 0, false, 40}, 24);
  checkConv<f16, false>({1, 5, 6, 5, 3, 2, 5, 5, 1, 1, 1, 1, 1, 0, 0, false, 7}, 7);
}

TEST_CASE("from planes of channels") {
  checkConv<f16, false>({2, 11, 10, 3, 7, 7, 6, 5, 2, 2, 1, 1, 3, 3, 0, true}, 20);
  checkConv<f16, false>({1, 9, 8, 8, 3, 3, 9, 8, 1, 1, 1, 1, 1, 1, 0, true}, 33);
}

TEST_CASE("bytes, and what they are outside of the picture") {
  for (const int outside : {0, -128, 7}) {
    checkBytes<int8_t, true>({1, 7, 9, 16, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1}, 24, outside);
    checkBytes<int8_t, false>({1, 11, 10, 3, 7, 7, 6, 5, 2, 2, 1, 1, 3, 3}, 20, outside);
  }
  for (const int outside : {0, 128}) {
    checkBytes<uint8_t, true>({2, 9, 8, 32, 3, 3, 5, 4, 2, 2, 1, 1, 1, 0}, 33, outside);
    checkBytes<uint8_t, false>({2, 5, 6, 5, 3, 2, 5, 5, 1, 1, 1, 1, 1, 0}, 7, outside);
  }
}

TEST_CASE("k in slices") { checkConv<f16, true>({1, 7, 7, 32, 3, 3, 7, 7, 1, 1, 1, 1, 1, 1}, 16, 3); }

#if SINTER_CUDA_ARCH >= 800
TEST_CASE("float by three products of TF32") {
  checkConv<float, true>({1, 7, 9, 12, 3, 3, 7, 9, 1, 1, 1, 1, 1, 1}, 24);
  checkConv<float, false>({1, 7, 9, 3, 3, 3, 4, 5, 2, 2, 1, 1, 1, 1}, 12);
}
#endif
