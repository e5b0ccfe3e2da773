// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that have a thread for each element are equal to the templates of CPUs, sums up to their order; so is what
// the lanes of a warp merge.
#include "device_test.h"

#include "templates/cuda/by_element.h"
#include "templates/cuda/pool_element.h"
#include "templates/cuda/warp_reduce.h"

#include <cmath>
#include <limits>

using namespace sinter;
using namespace sinter::cuda::test;

namespace {

cuda::emulation::Grid gridOf(int64_t elements) {
  cuda::emulation::Grid grid;
  grid.threads = 64;
  grid.x = int((elements + 63) / 64);
  return grid;
}

/// The same bits.
template <class T>
void checkEqual(Tensor<T> &a, Tensor<T> &b) {
  CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

} // namespace

TEST_CASE("a pool's elements, plain and in blocks") {
  const int64_t kernel[] = {3, 2}, strides[] = {2, 1}, dilations[] = {1, 2}, pads[] = {1, 1, 0, 1};
  Tensor<float> in(2 * 6 * 7 * 9, 1, -1.0f, 1.0f);
  const View<const float, 4> x{in.data(), {2, 6, 7, 9}, {378, 63, 9, 1}};
  constexpr int64_t kOut = 2 * 6 * 3 * 9;
  Tensor<float> expected(kOut), got(kOut);
  const auto view = [](Tensor<float> &out) { return View<float, 4>{out.data(), {2, 6, 3, 9}, {162, 27, 9, 1}}; };
  const MaxPoolParams maxParams{kernel, strides, dilations, pads};
  maxPool(maxParams, x, view(expected));
  runInAllOrders(gridOf(kOut), got, [&] { maxPoolElement(cuda::threadOfGrid<64>(), maxParams, x, view(got)); });
  checkEqual(got, expected);
  // A CPU with vectors adds up the columns of a window first: six taps of at most 1, each sum rounded once.
  const float rounding = 6 * 6 * std::numeric_limits<float>::epsilon() / 2;
  for (const bool countsPads : {false, true}) {
    const AveragePoolParams params{kernel, strides, dilations, pads, countsPads, false};
    averagePool(params, x, view(expected));
    runInAllOrders(gridOf(kOut), got, [&] { averagePoolElement(cuda::threadOfGrid<64>(), params, x, view(got)); });
    for (size_t i = 0; i < got.size(); ++i)
      CHECK(std::fabs(got[i] - expected[i]) <= rounding);
  }
  const View<const float, 5> blocks{in.data(), {2, 2, 7, 9, 3}, {378, 189, 27, 3, 1}};
  const auto blocked = [](Tensor<float> &out) {
    return View<float, 5>{out.data(), {2, 2, 3, 9, 3}, {162, 81, 27, 3, 1}};
  };
  const MaxPoolBlockedParams blockedParams{kernel, strides, dilations, pads};
  maxPoolBlocked(blockedParams, blocks, blocked(expected));
  runInAllOrders(gridOf(kOut), got,
                 [&] { maxPoolBlockedElement(cuda::threadOfGrid<64>(), blockedParams, blocks, blocked(got)); });
  checkEqual(got, expected);
}

TEST_CASE("a convolution's elements, with filters in three orders") {
  // One image of 4 channels, 5 x 6; 6 filters of 3 x 2 taps, padded by 1.
  Tensor<float> in(4 * 5 * 6, 1, -1.0f, 1.0f), filter(6 * 4 * 6, 2, -1.0f, 1.0f), last(6 * 4 * 6);
  for (size_t k = 0; k < 6; ++k)
    for (size_t c = 0; c < 4; ++c)
      for (size_t tap = 0; tap < 6; ++tap)
        last[(k * 6 + tap) * 4 + c] = filter[(k * 4 + c) * 6 + tap];
  ConvDirectShape<2> shape;
  shape.batch = 1, shape.channels = 4, shape.filters = 6, shape.groups = 1;
  shape.in = {1, 120, 30, 0, 0}, shape.out = {1, 210, 35, 0, 0};
  shape.axes[0] = {5, 5, 3, 1, 1, 1, 6, 7};
  shape.axes[1] = {6, 7, 2, 1, 1, 1, 1, 1};
  Tensor<float> expected(6 * 5 * 7), got(6 * 5 * 7);
  const auto epilogue = [](float sum, int64_t, int64_t k, int64_t h, int64_t w) { return sum + float(k * h - w); };
  convDirect<float>(shape, in.data(), filter.data(), expected.data(), 0, shape.axes[0].out, epilogue);
  const auto run = [&](const FilterSteps &steps, const float *weights) {
    runInAllOrders(gridOf(6 * 5 * 7), got, [&] {
      convElement<float>(cuda::threadOfGrid<64>(), shape, steps, in.data(), weights, got.data(), epilogue);
    });
    for (size_t i = 0; i < got.size(); ++i)
      CHECK(std::fabs(got[i] - expected[i]) < 1e-5f);
  };
  run({24, 6, 1}, filter.data());
  run({24, 1, 4}, last.data());
}

TEST_CASE("lanes merge into one value that all have") {
  Tensor<double> sums(32);
  Tensor<uint8_t> largest(32);
  cuda::emulation::Grid grid;
  REQUIRE(cuda::emulation::launchInAllOrders(grid, [&] {
            const int lane = cuda::laneIndex();
            sums[size_t(lane)] = cuda::combineWarp(double(lane) + 0.5, Sum{});
            largest[size_t(lane)] = cuda::combineWarp(uint8_t(lane * 7 % 32 + 200), Largest{});
          }) == "");
  for (size_t lane = 0; lane < 32; ++lane) {
    CHECK(sums[lane] == 512);
    CHECK(largest[lane] == 231);
  }
}
