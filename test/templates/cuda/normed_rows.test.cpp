// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of normalised rows: to the bit what the norm and the product give one after the other.
#include "device_test.h"

#include "templates/cuda/row_of_warp.h"
#include "templates/cuda/simt_norm_gemm.h"
#include "templates/cuda/tile_norm_gemm.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class Tile>
void checkNormed(int m, int n, int k, bool isCentered) {
  CAPTURE(m);
  CAPTURE(k);
  const int ldx = k + 3, ldn = k + 1;
  Tensor<float> x(size_t(m * ldx), 1, -1.0f, 1.0f), b(size_t(k * n), 2, -1.0f, 1.0f);
  Tensor<float> scale(size_t(k), 3, 0.5f, 2.0f), bias(size_t(k), 4, -1.0f, 1.0f);
  Tensor<float> normed(size_t(m * ldn)), c(size_t(m * n)), expectedRows(size_t(m * ldn)), expected(size_t(m * n));
  const NormScaleShift<float> finish{scale.data(), bias.data()};
  emulation::Grid ofRows;
  ofRows.x = ceilDiv(m, 4);
  ofRows.threads = 128;
  runInAllOrders(ofRows, expectedRows, [&] {
    const sinter::View<const float, 2> from{x.data(), {m, k}, {ldx, 1}};
    const sinter::View<float, 2> to{expectedRows.data(), {m, k}, {ldn, 1}};
    sinter::normRow(threadOfGrid<128>() / 32, sinter::LayerNormParams{1e-5, isCentered}, from, to, finish);
  });
  emulation::Grid grid;
  grid.x = ceilDiv(m, Tile::kM), grid.y = ceilDiv(n, Tile::kN);
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  const auto epilogue = [](float sum, int i, int j) { return sum + float(i - j); };
  runInAllOrders(grid, expected, [&] {
    simtGemm<Tile, false>(expectedRows.data(), ldn, b.data(), n, expected.data(), n, m, n, k, epilogue);
  });
  grid.sharedBytes = normedSharedBytes<Tile>();
  runInAllOrders(grid, c, [&] {
    const NormedRows<float, NormScaleShift<float>> rows{x.data(), ldx,  isCentered,    1e-5f,
                                                        finish,   true, normed.data(), ldn};
    simtNormGemm<Tile, false>(rows, b.data(), n, c.data(), n, m, n, k, epilogue);
  });
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < k; ++j)
      CHECK(normed[size_t(i * ldn + j)] == expectedRows[size_t(i * ldn + j)]);
    for (int j = 0; j < n; ++j)
      CHECK(c[size_t(i * n + j)] == expected[size_t(i * n + j)]);
  }
}

/// The same of halves.
template <class Tile, int kHeld, bool kAligned>
void checkNormedHalves(int m, int n, int k, bool isCentered) {
  using T = typename Tile::Element;
  CAPTURE(m);
  CAPTURE(k);
  const int ldx = k + (kAligned ? 8 : 3), ldn = k + (kAligned ? 16 : 1);
  Tensor<T> x(size_t(m * ldx), 1, -1.0f, 1.0f), b(size_t(k * n), 2, -1.0f, 1.0f);
  Tensor<T> scale(size_t(k), 3, 0.5f, 2.0f), bias(size_t(k), 4, -1.0f, 1.0f);
  Tensor<T> normed(size_t(m * ldn)), c(size_t(m * n)), expectedRows(size_t(m * ldn)), expected(size_t(m * n));
  const NormScaleShift<T> finish{scale.data(), bias.data()};
  emulation::Grid ofRows;
  ofRows.x = ceilDiv(m, 4);
  ofRows.threads = 128;
  runInAllOrders(ofRows, expectedRows, [&] {
    const sinter::View<const T, 2> from{x.data(), {m, k}, {ldx, 1}};
    const sinter::View<T, 2> to{expectedRows.data(), {m, k}, {ldn, 1}};
    sinter::normRow(threadOfGrid<128>() / 32, sinter::LayerNormParams{1e-5, isCentered}, from, to, finish);
  });
  emulation::Grid grid;
  grid.x = ceilDiv(m, Tile::kM), grid.y = ceilDiv(n, Tile::kN);
  grid.threads = Tile::kThreads;
  grid.sharedBytes = Tile::kSharedBytes;
  const auto epilogue = [](float sum, int i, int j) { return sum + 0.125f * float(i - j); };
  runInAllOrders(grid, expected, [&] {
    gemm<Tile, kAligned>(expectedRows.data(), ldn, b.data(), k, expected.data(), n, m, n, k, epilogue);
  });
  grid.sharedBytes = size_t(normedTileBytes<Tile>(k));
  runInAllOrders(grid, c, [&] {
    const NormedRows<T, NormScaleShift<T>> rows{x.data(), ldx, isCentered, 1e-5f, finish, true, normed.data(), ldn};
    tileNormGemm<Tile, kAligned, kHeld>(rows, b.data(), k, c.data(), n, m, n, k, epilogue);
  });
  for (int i = 0; i < m; ++i) {
    CHECK(std::memcmp(normed.data() + i * ldn, expectedRows.data() + i * ldn, size_t(k) * 2) == 0);
    CHECK(std::memcmp(c.data() + i * n, expected.data() + i * n, size_t(n) * 2) == 0);
  }
}

/// A norm alone against its definition in double. `apart`: elements between neighbours of a row.
template <class T, class S>
void checkNormRow(int m, int n, int apart, bool isCentered, double tolerance) {
  CAPTURE(n);
  Tensor<T> x(size_t(m * n * apart), 1, -1.0f, 3.0f), y(size_t(m * n));
  Tensor<S> scale(size_t(n), 3, 0.5f, 2.0f), bias(size_t(n), 4, -1.0f, 1.0f);
  emulation::Grid grid;
  grid.x = ceilDiv(m, 4);
  grid.threads = 128;
  runInAllOrders(grid, y, [&] {
    const sinter::View<const T, 2> from{x.data(), {m, n}, {n * apart, apart}};
    const sinter::View<T, 2> to{y.data(), {m, n}, {n, 1}};
    sinter::layerNormRow(threadOfGrid<128>() / 32, sinter::LayerNormParams{1e-5, isCentered}, from,
                         sinter::View<const S, 1>{scale.data(), {n}, {1}},
                         sinter::View<const S, 1>{bias.data(), {n}, {1}}, to);
  });
  for (int i = 0; i < m; ++i) {
    const auto at = [&](int j) { return double(toFloat(x[size_t((i * n + j) * apart)])); };
    double mean = 0, squares = 0;
    for (int j = 0; j < n && isCentered; ++j)
      mean += at(j) / n;
    for (int j = 0; j < n; ++j)
      squares += (at(j) - mean) * (at(j) - mean) / n;
    for (int j = 0; j < n; ++j)
      CHECK(std::fabs((at(j) - mean) / std::sqrt(squares + 1e-5) * toFloat(scale[size_t(j)]) +
                      toFloat(bias[size_t(j)]) - toFloat(y[size_t(i * n + j)])) <= tolerance);
  }
}

} // namespace

TEST_CASE("a norm alone") {
  checkNormRow<f16, f16>(5, 768, 1, true, 4e-3);
  checkNormRow<f16, float>(3, 392, 1, false, 4e-3); // runs that some lanes have
  checkNormRow<f16, f16>(2, 77, 1, true, 4e-3);     // runs that are cut
  checkNormRow<bf16, bf16>(2, 256, 2, true, 4e-2);
  checkNormRow<f16, f16>(2, 1160, 1, true, 4e-3); // longer than registers hold
  checkNormRow<float, float>(3, 1000, 1, true, 1e-5);
  checkNormRow<float, f16>(2, 33, 3, false, 1e-5);
  checkNormRow<float, float>(2, 1025, 1, true, 1e-5);
}

TEST_CASE("a product of halves normalises its rows") {
  checkNormedHalves<BlockTile<f16, 32, 32, 128, 16, 16, 3>, 1, true>(37, 40, 104, true);
  checkNormedHalves<BlockTile<f16, 32, 64, 128, 16, 32, 3>, 2, true>(5, 66, 320, false);
  checkNormedHalves<BlockTile<f16, 64, 64, 128, 32, 32, 3>, 1, false>(65, 34, 77, true);
  checkNormedHalves<BlockTile<f16, 64, 64, 128, 32, 16, 3>, 3, true>(70, 64, 768, true); // eight warps
  checkNormedHalves<BlockTile<f16, 32, 32, 128, 16, 16, 3>, 2, true>(33, 16, 384, false);
#if SINTER_CUDA_ARCH >= 800
  checkNormedHalves<BlockTile<bf16, 64, 64, 128, 32, 32, 5>, 3, true>(70, 64, 768, true);
#endif
}

TEST_CASE("a product normalises its rows") {
  checkNormed<SimtTile<32, 32, 16, 4, 2>>(37, 70, 100, true);
  checkNormed<SimtTile<32, 32, 16, 4, 2>>(3, 5, 17, false);
  checkNormed<SimtTile<64, 64, 16, 4, 4>>(65, 64, 48, true);
}
