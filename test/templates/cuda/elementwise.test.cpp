// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise chains, folds and transposes against loops.
#include "device_test.h"

#include "templates/cuda/elementwise.h"
#include "templates/cuda/row_reduce.h"
#include "templates/cuda/swap_axes.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

template <class T, int kPerThread>
void checkMap(int n, int blocks, size_t shift = 0) {
  Tensor<T> a(size_t(n), 1, -1.0f, 1.0f, shift), b(size_t(n), 2, -1.0f, 1.0f, shift), out(size_t(n), shift);
  emulation::Grid grid;
  grid.x = blocks;
  grid.threads = 64;
  runInAllOrders(grid, out, [&] {
    mapElements<64, kPerThread>(
        out.data(), n, [](int64_t i, float x, float y) { return x * y + float(i % 7); }, a.data(), b.data());
  });
  for (int i = 0; i < n; ++i) {
    const float product = toFloat(a[size_t(i)]) * toFloat(b[size_t(i)]);
    CHECK(out.at(i) == double(toFloat(stored<T>(product + float(i % 7)))));
  }
}

} // namespace

TEST_CASE("elementwise: whole packs, tails, more elements than threads, and fewer") {
  checkMap<f16, 8>(1000, 1);
  checkMap<f16, 8>(1003, 4);
  checkMap<f16, 8>(5, 1);
  checkMap<float, 4>(515, 1);
  checkMap<float, 1>(77, 1, 1); // aligned to an element only
}

TEST_CASE("elementwise in place, of integers, and to another type") {
  Tensor<int8_t> a(100, 1, 0, 0);
  std::vector<int> before;
  for (size_t i = 0; i < 100; ++i)
    before.push_back(a[i]);
  Tensor<float> out(100);
  emulation::Grid grid;
  grid.threads = 32;
  CHECK(emulation::launch(grid, [&] {
          mapElements<32, 4>(out.data(), 100, [](int64_t, int8_t x) { return float(x) * 0.5f; }, a.data());
          mapElements<32, 4>(a.data(), 100, [](int64_t, int8_t x) { return x / 2; }, a.data());
        }) == "");
  for (size_t i = 0; i < 100; ++i) {
    CHECK(out[i] == float(before[i]) * 0.5f);
    CHECK(a[i] == before[i] / 2);
  }
}

TEST_CASE("folds of rows, by a warp and by a block; of columns") {
  for (const int n : {1, 31, 200, 1025}) {
    constexpr int rows = 5;
    Tensor<float> in(size_t(rows * n), 1, -1.0f, 1.0f), sums(rows), squares(rows), greatest(rows);
    const auto keep = [](float v, int64_t) { return v; };
    emulation::Grid grid;
    grid.x = 2;
    grid.threads = 128;
    runInAllOrders(grid, sums, [&] {
      reduceRows<32>(in.data(), n, sums.data(), rows, n, 0.0f, 128, [](float x, int) { return x; }, Plus{}, keep);
    });
    runInAllOrders(grid, greatest, [&] {
      reduceRows<32>(
          in.data(), n, greatest.data(), rows, n, -INFINITY, 128, [](float x, int) { return x; }, Greater{}, keep);
    });
    grid.x = rows;
    grid.sharedBytes = Group<128>::kSharedBytes;
    runInAllOrders(grid, squares, [&] {
      reduceRows<128>(
          in.data(), n, squares.data(), rows, n, 0.0f, 128, [](float x, int) { return x * x; }, Plus{},
          [&](float v, int) { return v / float(n); });
    });
    for (int i = 0; i < rows; ++i) {
      double sum = 0, square = 0, most = -1e9;
      for (int j = 0; j < n; ++j) {
        const double x = in.at(i * n + j);
        sum += x, square += x * x / n, most = std::fmax(most, x);
      }
      CHECK(sums.at(i) == doctest::Approx(sum).epsilon(1e-5));
      CHECK(squares.at(i) == doctest::Approx(square).epsilon(1e-5));
      CHECK(greatest.at(i) == most);
    }
  }
  constexpr int outer = 3, n = 10, inner = 70;
  Tensor<f16> in(outer * n * inner, 1, -1.0f, 1.0f);
  Tensor<float> out(outer * inner);
  emulation::Grid grid;
  grid.x = 3, grid.y = outer, grid.threads = 32;
  runInAllOrders(grid, out, [&] {
    reduceColumns(
        in.data(), out.data(), n, inner, 0.0f, 32, [](f16 x, int) { return toFloat(x); }, Plus{},
        [](float v, int64_t) { return v; });
  });
  for (int o = 0; o < outer; ++o) {
    for (int i = 0; i < inner; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += in.at((o * n + j) * inner + i);
      CHECK(out.at(o * inner + i) == doctest::Approx(sum).epsilon(1e-5));
    }
  }
}

TEST_CASE("the greatest of a row with a NaN is NaN") {
  Tensor<float> in(40, 1, -1.0f, 1.0f), out(1);
  in[37] = std::nanf("");
  emulation::Grid grid;
  CHECK(emulation::launch(grid, [&] {
          reduceRows<32>(
              in.data(), 40, out.data(), 1, 40, -INFINITY, 32, [](float x, int) { return x; }, Greater{},
              [](float v, int) { return v; });
        }) == "");
  CHECK(std::isnan(out.at(0)));
}

TEST_CASE("a transpose of pictures that are no whole tiles, of bytes, halves and floats") {
  const auto check = [](auto example, int batch, int rows, int columns) {
    using T = decltype(example);
    Tensor<T> in(size_t(batch * rows * columns), 1, -1.0f, 1.0f), out(in.size());
    emulation::Grid grid;
    grid.x = ceilDiv(columns, 32), grid.y = ceilDiv(rows, 32), grid.z = batch;
    grid.threads = kSwapThreads;
    grid.sharedBytes = kSwapSharedBytes;
    runInAllOrders(grid, out, [&] { swapAxes(in.data(), out.data(), rows, columns, [](T v) { return v; }); });
    for (int b = 0; b < batch; ++b)
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
          CHECK(out.at((b * columns + j) * rows + i) == in.at((b * rows + i) * columns + j));
  };
  check(float(), 2, 33, 65);
  check(f16(), 1, 3, 70);
  check(int8_t(), 1, 64, 31);
}
