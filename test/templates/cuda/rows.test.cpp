// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and normalisations of rows in registers against their definitions in double.
#include "device_test.h"

#include "templates/cuda/row_norm.h"
#include "templates/cuda/row_softmax.h"

using namespace sinter::cuda;
using namespace sinter::cuda::test;

namespace {

emulation::Grid gridOf(int groupThreads, int rows, int threads) {
  emulation::Grid grid;
  grid.x = groupThreads == 32 ? ceilDiv(rows, threads / 32) : rows;
  grid.threads = threads;
  grid.sharedBytes = groupThreads == 32 ? 0 : size_t(groupThreads / 32 * 4);
  return grid;
}

template <class T, int kThreads, int kPerThread, int kPack, bool kLog>
void checkSoftmax(int rows, int n, int padding = 0) {
  const int threads = kThreads == 32 ? 96 : kThreads, stride = n + padding;
  Tensor<T> in(size_t(rows * stride), 1, -20.0f, 20.0f);
  Tensor<T> out(size_t(rows * n));
  runInAllOrders(gridOf(kThreads, rows, threads), out, [&] {
    softmaxRows<kThreads, kPerThread, kPack, kLog>(in.data(), stride, out.data(), n, rows, n, threads,
                                                   [](float v, int, int) { return v; });
  });
  std::vector<double> expected;
  for (int i = 0; i < rows; ++i) {
    double largest = -1e9, sum = 0;
    for (int j = 0; j < n; ++j)
      largest = std::fmax(largest, in.at(i * stride + j));
    for (int j = 0; j < n; ++j)
      sum += std::exp(in.at(i * stride + j) - largest);
    for (int j = 0; j < n; ++j) {
      const double x = in.at(i * stride + j) - largest;
      expected.push_back(kLog ? x - std::log(sum) : std::exp(x) / sum);
    }
  }
  CHECK(relativeError(out, expected) < kTolerance<T>);
}

template <class T, int kThreads, int kPerThread, int kPack, bool kCentered>
void checkNorm(int rows, int n) {
  const int threads = kThreads == 32 ? 64 : kThreads;
  Tensor<T> in(size_t(rows * n), 1, 9.0f, 11.0f), residual(size_t(rows * n), 2, -1.0f, 1.0f), out(size_t(rows * n));
  Tensor<float> scale(size_t(n), 3, 0.5f, 1.5f), bias(size_t(n), 4, -1.0f, 1.0f);
  runInAllOrders(gridOf(kThreads, rows, threads), out, [&] {
    normRows<kThreads, kPerThread, kPack, kCentered>(
        in.data(), n, out.data(), n, rows, n, 1e-5f, threads,
        [&](float x, int i, int j) { return x + toFloat(residual[size_t(i * n + j)]); },
        [&](float v, int, int j) { return v * scale[size_t(j)] + bias[size_t(j)]; });
  });
  std::vector<double> expected;
  for (int i = 0; i < rows; ++i) {
    const auto at = [&](int j) { return in.at(i * n + j) + residual.at(i * n + j); };
    double mean = 0, squares = 0;
    for (int j = 0; kCentered && j < n; ++j)
      mean += at(j) / n;
    for (int j = 0; j < n; ++j)
      squares += (at(j) - mean) * (at(j) - mean) / n;
    for (int j = 0; j < n; ++j)
      expected.push_back((at(j) - mean) / std::sqrt(squares + 1e-5) * scale.at(j) + bias.at(j));
  }
  CHECK(relativeError(out, expected) < 5 * kTolerance<T>);
}

} // namespace

TEST_CASE("softmax by a warp and by a block, with and without packs") {
  checkSoftmax<f16, 32, 8, 8, false>(7, 128);
  checkSoftmax<f16, 32, 8, 8, false>(7, 256, 8);
  checkSoftmax<float, 32, 4, 1, false>(4, 77, 3);
  checkSoftmax<float, 32, 1, 1, false>(2, 1);
  checkSoftmax<float, 128, 8, 4, false>(3, 1000);
  checkSoftmax<float, 128, 4, 1, true>(3, 333);
  checkSoftmax<bf16, 32, 8, 8, true>(3, 64);
}

TEST_CASE("softmax of a row of -infinity but for one element, and of one with a NaN") {
  Tensor<float> in(80), out(80);
  for (size_t i = 0; i < 80; ++i)
    in[i] = i < 40 ? -INFINITY : 0.0f;
  in[7] = 1.0f, in[50] = std::nanf("");
  CHECK(emulation::launch(gridOf(32, 2, 32), [&] {
          softmaxRows<32, 2, 1, false>(in.data(), 40, out.data(), 40, 2, 40, 32, [](float v, int, int) { return v; });
        }) == "");
  CHECK(out[7] == 1.0f);
  CHECK(out[8] == 0.0f);
  CHECK(std::isnan(out.at(60)));
}

TEST_CASE("normalisations, with a residual in front and scale and bias behind") {
  checkNorm<f16, 32, 24, 8, true>(5, 768);
  checkNorm<float, 32, 4, 1, true>(5, 99);
  checkNorm<float, 128, 12, 4, true>(3, 1500);
  checkNorm<float, 128, 4, 4, false>(3, 512);
  checkNorm<f16, 32, 1, 1, false>(3, 17);
}
