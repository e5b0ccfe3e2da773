// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of few pixels by rows: channels of a pixel, also as part of a wider map, and whole pictures.
#include "device_test.h"

#include "templates/cuda/row_conv.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class T, int kRows, int kPack>
void checkRowConv(const ConvShape &s, int n) {
  using Tile = RowsOfWarps<kRows>;
  CAPTURE(s.channels);
  CAPTURE(s.kernelWidth);
  Tensor<T> in(size_t(s.images * s.image()), 1, -1.0f, 1.0f), filters(size_t(n * s.depth()), 2, -1.0f, 1.0f);
  Tensor<float> out(size_t(s.rows() * n));
  emulation::Grid grid;
  grid.x = ceilDiv(s.rows(), Tile::kM), grid.y = ceilDiv(n, Tile::kN);
  grid.threads = Tile::kThreads;
  runInAllOrders(grid, out, [&] {
    rowConv<Tile, kPack>(in.data(), filters.data(), s.depth(), out.data(), n, s, n,
                         [](float sum, int image, int f, int y, int x) { return sum + float(image + 2 * f + y - x); });
  });
  for (int pixel = 0; pixel < s.rows(); ++pixel)
    for (int f = 0; f < n; ++f) {
      const int x = pixel % s.outWidth, y = pixel / s.outWidth % s.outHeight, image = pixel / s.outWidth / s.outHeight;
      double sum = image + 2 * f + y - x;
      for (int i = 0; i < s.depth(); ++i) {
        const int tap = i / s.channels, row = y + tap / s.kernelWidth, column = x + tap % s.kernelWidth;
        const int at = ((image * s.height + row) * s.width + column) * s.pixel() + i % s.channels;
        sum += in.at(at) * filters.at(f * s.depth() + i);
      }
      CHECK(std::fabs(out.at(pixel * n + f) - sum) <= 1e-5 * std::sqrt(double(s.depth())));
    }
}

} // namespace

TEST_CASE("pixels as rows") {
  checkRowConv<f16, 1, 8>({1, 1, 1, 96, 1, 1, 1, 1}, 10);
  checkRowConv<float, 4, 4>({1, 1, 3, 20, 1, 1, 1, 3, 1, 1, 1, 1, 0, 0, 0, false, 28}, 9);
  checkRowConv<f16, 2, 1>({2, 1, 1, 13, 1, 1, 1, 1}, 5);
}

TEST_CASE("pictures as rows") {
  checkRowConv<f16, 1, 8>({1, 3, 4, 16, 3, 4, 1, 1}, 7);
  checkRowConv<float, 4, 4>({3, 2, 2, 12, 2, 2, 1, 1}, 6);
}
