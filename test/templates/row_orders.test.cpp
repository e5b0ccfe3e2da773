// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of compiler/kernels write over their own input: at the least distance that the planner
// (compiler/memory/row_order.cpp) leaves between the two, results are those of memory apart.
#include "dual_cases.h"
#include "int8_reference.h"
#include "packing.h"
#include "templates/im2col/depthwise_columns.h"
#include "templates/im2col/depthwise_im2col.h"
#include "templates/im2col/row_core_m0.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace sinter;

namespace {

enum class Order { Held, Rows, Planes, Windows };

/// How far the output must begin below the input, as the planner computes it; of planes, a multiple of a pixel. `step`:
/// rows (of pointwise convolutions: pixels) whose windows are read again while they are written.
template <class Shape>
int64_t leastDistance(const Shape &s, Order order, int64_t step = 1) {
  const bool isPixels =
      order != Order::Planes && s.in.block == s.channels && s.kernelH * s.kernelW * s.strideH * s.strideW == 1;
  const int64_t each = isPixels ? s.width : 1, rows = s.outHeight * each, inRows = s.height * each;
  const int64_t rowBytes = s.outWidth * s.filters / each, inRowBytes = s.width * s.in.block / each;
  int64_t distance = -inRows * inRowBytes;
  for (int64_t written = 1; written <= rows; ++written) {
    if (written == rows && order != Order::Windows)
      break;
    const int64_t first = order == Order::Windows ? (written - 1) / step * step : written;
    const int64_t next = first * s.strideH - s.padTop + (order == Order::Held ? s.kernelH - s.strideH : 0);
    if (next < inRows)
      distance = std::max(distance, written * rowBytes - std::max<int64_t>(next, 0) * inRowBytes);
  }
  if (order == Order::Planes) // the next multiple
    distance = (distance + (distance > 0 ? s.channels - 1 : 0)) / s.channels * s.channels;
  return std::min(distance, rows * rowBytes);
}

/// Elements that differ from `expected` when the output begins `distance` bytes below the input; run(in, out).
template <class TA, class TC, class Run>
int64_t wrongOver(const TA *in, int64_t inBytes, const TC *expected, int64_t outBytes, int64_t distance, Run run) {
  const int64_t margin = 4 * inBytes + outBytes;
  std::vector<uint8_t> memory(static_cast<size_t>(2 * margin + inBytes + outBytes));
  uint8_t *out = memory.data() + margin, *source = out + distance;
  std::copy(in, in + inBytes, source);
  run(reinterpret_cast<const TA *>(source), reinterpret_cast<TC *>(out));
  int64_t wrong = 0;
  for (int64_t i = 0; i < outBytes; ++i)
    wrong += TC(out[i]) != expected[i];
  return wrong;
}

/// The same of the dual kernels.
template <class S, class TA, class TC, test::Rule kRule>
int64_t wrongAt(int64_t distance) {
  using Case = test::ConvCase<S, TA, TC, kRule>;
  const int64_t inBytes = S::channels * S::height * S::width, outBytes = S::filters * S::outHeight * S::outWidth;
  if (Case::check().wrong != 0) // leaves input, words and output where they are
    return outBytes;
  return wrongOver(
      test::storage<TA, 0>(), inBytes, test::storage<TC, 6>(), outBytes, distance, [](const TA *in, TC *out) {
        Case::run(in, test::storage<int32_t, 5>(), int32_t(S::filters + 3) / 4, out, test::storage<int16_t, 7>());
      });
}

/// The kernels of small cores: how many of `cases` notice when the output lies a byte nearer.
struct Im2colOrders {
  int64_t cases = 0, noticed = 0;

  template <class Run>
  void check(const ConvShape &s, const test::Int8Case<int8_t> &test, Order order, int64_t step, Run run) {
    const std::vector<int8_t> expected = test.requantized(-100, 90, 3);
    const auto wrong = [&](int64_t distance) {
      return wrongOver(test.in.data(), int64_t(test.in.size()), expected.data(), int64_t(expected.size()), distance,
                       run);
    };
    const int64_t distance = leastDistance(s, order, step);
    CAPTURE(cases);
    CAPTURE(distance);
    CHECK(wrong(distance) == 0);
    noticed += wrong(distance - 3 * s.width * s.channels) != 0;
    ++cases;
  }

  template <class Core, int kRuns>
  void checkIm2col(const ConvShape &s) {
    const test::Int8Case<int8_t> test(s, -9);
    const int64_t k = s.kernelH * s.kernelW * s.channels;
    const auto weights = test::packIm2col<Core>(test.weights, s.filters, kRuns, k / kRuns);
    const auto bias = test.foldedBias(0, Core::kHeader > 0 ? 128 : 0);
    const Requantize requantize{bias.data(), test.factors.data(), -100, 90, 3};
    alignas(16) uint8_t scratch[4096];
    const bool isPixels = s.kernelH * s.kernelW * s.strideH * s.strideW == 1;
    const bool isHeld = isPixels && !readsInPlace<Core, int8_t>(s, kRuns);
    check(s, test, isHeld ? Order::Held : Order::Windows, isPixels ? kPixelsInPlace : 1,
          [&](const int8_t *in, int8_t *out) {
            convIm2col<Core, kRuns>(s, in, -9, weights.data(), out, &scratch[0], 0, s.outHeight, requantize);
          });
  }

  void checkDepthwise(const ConvShape &s) {
    const test::Int8Case<int8_t> test(s, -9);
    const auto bias = test.foldedBias(0, 0);
    const Requantize requantize{bias.data(), test.factors.data(), -100, 90, 3};
    alignas(16) int8_t scratch[4096];
    const auto taps = test::packDepthwise(test.weights, s.channels, s.kernelH * s.kernelW);
    check(s, test, Order::Windows, 1, [&](const int8_t *in, int8_t *out) {
      depthwiseIm2col(s, in, -9, taps.data(), out, &scratch[0], 0, s.outHeight, requantize);
    });
    const bool two = columnRows(s.kernelH, s.strideH) == 2;
    const auto columns = test::packColumns(test.weights, s.channels, s.kernelH, s.kernelW, two ? 2 : 1);
    check(s, test, Order::Rows, 1, [&](const int8_t *in, int8_t *out) {
      if (two)
        depthwiseColumns<2>(s, in, -9, columns.data(), out, &scratch[0], 0, s.outHeight, requantize);
      else
        depthwiseColumns<1>(s, in, -9, columns.data(), out, &scratch[0], 0, s.outHeight, requantize);
    });
  }
};

} // namespace

TEST_CASE("kernels write over their input at the least distance that the planner leaves") {
  int64_t shapes = 0, noticed = 0;
  const auto each = [&](auto shape) {
    using S = decltype(shape);
    const Order order = S::groups > 1 ? Order::Planes : S::isWinograd ? Order::Windows : Order::Held;
    const int64_t distance = leastDistance(shape, order, S::isWinograd ? 2 : 1);
    CAPTURE(shapes);
    CAPTURE(distance);
    CHECK(wrongAt<S, int8_t, int8_t, test::Rule::Proved>(distance) == 0);
    if constexpr (S::filters % 8 == 0) // in turn, as in dual_cases.h
      CHECK(wrongAt<S, uint8_t, uint8_t, test::Rule::Defined>(distance) == 0);
    else
      CHECK(wrongAt<S, int8_t, uint8_t, test::Rule::Lambda>(distance) == 0);
    const int64_t row = S::width * S::channels;
    noticed += wrongAt<S, int8_t, int8_t, test::Rule::Proved>(distance - 3 * row) != 0;
    ++shapes;
  };
  // channels, height, width, filters, kernel, stride, pads, output; groups
  each(test::QuantShape<64, 5, 5, 64, 1, 1, 1, 0, 0, 5, 5>{});
  each(test::QuantShape<8, 6, 5, 16, 1, 1, 1, 0, 0, 6, 5>{});
  each(test::QuantShape<16, 5, 7, 8, 1, 1, 1, 0, 0, 5, 7>{});
  each(test::QuantShape<7, 3, 4, 5, 1, 1, 1, 0, 0, 3, 4>{});
  each(test::QuantShape<16, 8, 8, 12, 1, 1, 2, 0, 0, 4, 4>{});
  each(test::QuantShape<3, 10, 10, 16, 3, 3, 1, 1, 1, 10, 10>{});
  each(test::QuantShape<3, 12, 12, 8, 3, 3, 2, 0, 0, 6, 6>{});
  each(test::QuantShape<16, 9, 8, 16, 3, 3, 1, 1, 1, 9, 8>{});
  each(test::QuantShape<8, 9, 5, 8, 3, 3, 1, 1, 1, 9, 5>{});
  each(test::QuantShape<8, 9, 5, 16, 3, 3, 1, 1, 1, 9, 5>{});
  each(test::QuantShape<1, 49, 10, 16, 10, 4, 2, 4, 1, 25, 5>{});
  each(test::QuantShape<8, 25, 5, 8, 3, 3, 1, 1, 1, 25, 5, 8>{});
  each(test::QuantShape<6, 6, 6, 6, 3, 3, 1, 1, 1, 6, 6, 6>{});
  each(test::QuantShape<4, 48, 48, 4, 3, 3, 1, 1, 1, 48, 48, 4>{});
  each(test::QuantShape<4, 48, 48, 4, 3, 3, 2, 0, 0, 24, 24, 4>{});
  each(test::QuantShape<5, 13, 14, 5, 3, 3, 2, 0, 0, 6, 6, 5>{});
  each(test::QuantShape<4, 60, 16, 4, 3, 3, 1, 1, 1, 60, 16, 4>{});
  each(test::QuantShape<4, 9, 10, 4, 3, 3, 2, 1, 1, 5, 5, 4>{});
  each(test::QuantShape<4, 5, 9, 4, 2, 3, 1, 1, 2, 5, 9, 4>{});
  each(test::WinogradShape<16, 8, 12, 16, 1, 1, 8, 12>{});
  each(test::WinogradShape<4, 9, 10, 8, 1, 1, 9, 10>{});
  each(test::QuantShape<3, 13, 15, 8, 3, 3, 2, 0, 1, 6, 7, 1, 1>{}); // planes
  each(test::QuantShape<3, 10, 10, 6, 3, 3, 1, 1, 1, 10, 10, 1, 1>{});
  each(test::QuantShape<4, 6, 17, 8, 2, 5, 1, 0, 2, 5, 17, 1, 1>{});
  each(test::QuantShape<7, 3, 5, 4, 1, 1, 1, 0, 0, 3, 5, 1, 1>{});
  CHECK(noticed > shapes / 2); // nearer, results change: the test sees what it is for
}

TEST_CASE_TEMPLATE("so do im2col rows", Core, PlainRows, BiasedRows, VectorRows) {
  Im2colOrders orders;
  for (const ConvShape &s : {test::int8Shape(5, 5, 64, 64, 1, 1, 1, 0), test::int8Shape(6, 5, 16, 32, 1, 1, 1, 0),
                             test::int8Shape(7, 5, 32, 16, 1, 1, 1, 0), test::int8Shape(6, 7, 20, 12, 1, 1, 1, 0),
                             test::int8Shape(8, 8, 16, 12, 1, 1, 2, 0), test::int8Shape(9, 8, 16, 16, 3, 3, 1, 1),
                             test::int8Shape(10, 9, 3, 16, 3, 3, 2, 1), test::int8Shape(49, 10, 1, 16, 10, 4, 2, 4)})
    orders.checkIm2col<Core, 1>(s);
  if constexpr (Core::kTakesRuns)
    for (const ConvShape &s : {test::int8Shape(9, 8, 16, 16, 3, 3, 1, 1), test::int8Shape(10, 9, 16, 8, 3, 3, 2, 1),
                               test::int8Shape(9, 7, 8, 16, 3, 3, 1, 0)})
      orders.checkIm2col<Core, 3>(s);
  CHECK(orders.noticed >= orders.cases / 4); // steps of many rows at once hide the rest
}

TEST_CASE("so do windows and columns") {
  Im2colOrders orders;
  for (const ConvShape &s : {test::depthwiseShape(25, 5, 64, 3, 3, 1, 1), test::depthwiseShape(8, 6, 8, 3, 3, 2, 1),
                             test::depthwiseShape(5, 5, 22, 3, 3, 1, 1), test::depthwiseShape(6, 7, 5, 4, 2, 1, 0),
                             test::depthwiseShape(9, 4, 16, 2, 4, 2, 1), test::depthwiseShape(4, 4, 8, 3, 3, 1, 2)})
    orders.checkDepthwise(s);
  CHECK(orders.noticed >= orders.cases / 4); // steps of many rows at once hide the rest
}
