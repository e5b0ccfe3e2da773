// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of few rows: packs and single elements, rows that a block does not have, columns that are no whole blocks.
#include "device_test.h"

#include "templates/cuda/row_products.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class T, int kRows, int kPack, class TC>
void checkRows(int m, int n, int k, double tolerance) {
  using Tile = RowsOfWarps<kRows>;
  using TB = typename OtherOperand<T>::Type;
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  const int pitch = k + 2 * kPack, ldc = n + 3;
  Tensor<T> a(size_t(m * pitch), 1, -1.0f, 1.0f);
  Tensor<TB> b(size_t(n * pitch), 2, -1.0f, 1.0f);
  Tensor<TC> c(size_t(m * ldc));
  emulation::Grid grid;
  grid.x = ceilDiv(m, Tile::kM), grid.y = ceilDiv(n, Tile::kN);
  grid.threads = Tile::kThreads;
  runInAllOrders(grid, c, [&] {
    rowProducts<Tile, kPack>(a.data(), pitch, b.data(), pitch, c.data(), ldc, m, n, k,
                             [](auto sum, int i, int j) { return sum + decltype(sum)(i * 2 + j % 3); });
  });
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = i * 2 + j % 3;
      for (int p = 0; p < k; ++p)
        sum += a.at(i * pitch + p) * b.at(j * pitch + p);
      CHECK(std::fabs(c.at(i * ldc + j) - sum) <= tolerance * std::sqrt(double(k)));
    }
  }
}

} // namespace

TEST_CASE("few rows in float and halves") {
  checkRows<float, 1, 4, float>(1, 1000, 256, 1e-6);
  checkRows<float, 1, 1, float>(1, 5, 77, 1e-6);
  checkRows<float, 4, 4, float>(3, 33, 132, 1e-6);
  checkRows<f16, 2, 8, f16>(2, 10, 512, 2e-3);
  checkRows<bf16, 1, 1, float>(1, 3, 1, 1e-6);
}

TEST_CASE("few rows of bytes, exactly") {
  checkRows<int8_t, 1, 16, int32_t>(1, 50, 640, 0);
  checkRows<uint8_t, 4, 16, int32_t>(4, 9, 64, 0);
  checkRows<uint8_t, 2, 1, int32_t>(2, 6, 35, 0);
}
