// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 8-bit kernels of small cores: every core against sums by their definition, over kernels, strides, pads and odd
// channel counts. On the host the portable loops run, on boards (test/boards) the same file runs the assembly.
#include "int8_reference.h"
#include "packing.h"
#include "templates/depthwise_columns.h"
#include "templates/depthwise_lines.h"
#include "templates/line_core_m0.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;

namespace {

std::vector<ConvShape> convolutions() {
  return {int8Shape(7, 5, 3, 6, 3, 3, 1, 1),  int8Shape(5, 4, 16, 8, 1, 1, 1, 0), int8Shape(6, 5, 64, 5, 1, 1, 1, 0),
          int8Shape(9, 8, 1, 7, 10, 4, 2, 1), int8Shape(8, 9, 16, 9, 3, 3, 2, 1), int8Shape(4, 4, 20, 4, 1, 1, 2, 0)};
}

template <class Core, class TA>
void checkLines(const ConvShape &s, int32_t zero) {
  const Int8Case<TA> test(s, zero);
  const auto weights = packLines<Core>(test.weights, s.filters, s.kernelH * s.kernelW * s.channels);
  // What depends on weights only is the bias's.
  const auto bias = test.foldedBias(kSame<TA, uint8_t> ? 128 : 0, Core::kHeader > 0 ? 128 : 0);
  alignas(16) uint8_t scratch[4096];
  REQUIRE(lineCount<Core>(s.kernelH * s.kernelW * s.channels, s.outHeight * s.outWidth) *
              linePitch<Core>(s.kernelH * s.kernelW * s.channels) <=
          int64_t(sizeof(scratch)));
  // The zero point as the core holds it.
  const int32_t held = kSame<TA, uint8_t> ? zero - 128 : zero;
  std::vector<int32_t> sums(test.expected.size(), -7);
  convLines<Core>(s, test.in.data(), held, weights.data(), sums.data(), &scratch[0], 0, s.outHeight,
                  [&](int32_t v, int64_t, int64_t c, int64_t, int64_t) { return v + bias[size_t(c)]; });
  CHECK(sums == test.expected);
  std::vector<int8_t> bytes(test.expected.size());
  const Requantize requantize{bias.data(), test.factors.data(), -100, 90, 3};
  convLines<Core>(s, test.in.data(), held, weights.data(), bytes.data(), &scratch[0], 0, s.outHeight, requantize);
  CHECK(bytes == test.requantized(-100, 90, 3));
}

/// The same with one factor for all channels, four times.
template <class Core>
void checkOneFactor(const ConvShape &s) {
  Int8Case<int8_t> test(s, -9);
  test.factors.assign(test.factors.size(), 3e-4f);
  const float factors[4] = {3e-4f, 3e-4f, 3e-4f, 3e-4f};
  const auto bias = test.foldedBias(0, Core::kHeader > 0 ? 128 : 0);
  const auto weights = packLines<Core>(test.weights, s.filters, s.kernelH * s.kernelW * s.channels);
  alignas(16) uint8_t scratch[4096];
  std::vector<int8_t> bytes(test.expected.size());
  convLines<Core>(s, test.in.data(), -9, weights.data(), bytes.data(), &scratch[0], 0, s.outHeight,
                  Requantize{bias.data(), &factors[0], -100, 90, 3, 0});
  CHECK(bytes == test.requantized(-100, 90, 3));
}

} // namespace

TEST_CASE_TEMPLATE("convolutions by lines", Core, PlainLines, BiasedLines, VectorLines) {
  for (const ConvShape &s : convolutions()) {
    checkLines<Core, int8_t>(s, -128);
    checkLines<Core, int8_t>(s, 5);
    checkLines<Core, uint8_t>(s, 0);
    checkLines<Core, uint8_t>(s, 131);
    checkOneFactor<Core>(s);
  }
}

TEST_CASE_TEMPLATE("matrix products by lines", Core, PlainLines, BiasedLines, VectorLines) {
  for (int64_t k : {1, 8, 64, 100}) {
    const ConvShape s = int8Shape(3, 1, k, 10, 1, 1, 1, 0);
    const Int8Case<int8_t> test(s, -3);
    const auto weights = packLines<Core>(test.weights, 10, k);
    const auto bias = test.foldedBias(0, Core::kHeader > 0 ? 128 : 0);
    alignas(16) uint8_t scratch[256];
    std::vector<int32_t> sums(30);
    gemmLines<Core>(test.in.data(), k, weights.data(), sums.data(), 10, 3, 10, k, &scratch[0],
                    [&](int32_t v, int64_t, int64_t j) { return v + bias[size_t(j)]; });
    CHECK(sums == test.expected);
    std::vector<int8_t> bytes(30);
    const Requantize requantize{bias.data(), test.factors.data(), -100, 90, 3};
    gemmLines<Core>(test.in.data(), k, weights.data(), bytes.data(), 10, 3, 10, k, &scratch[0], requantize);
    CHECK(bytes == test.requantized(-100, 90, 3));
  }
}

TEST_CASE("depthwise windows and columns") {
  for (const ConvShape &s :
       {depthwiseShape(7, 5, 64, 3, 3, 1, 1), depthwiseShape(8, 6, 8, 3, 3, 2, 1), depthwiseShape(5, 5, 22, 3, 3, 1, 1),
        depthwiseShape(6, 7, 5, 4, 2, 1, 0), depthwiseShape(9, 4, 16, 2, 4, 2, 1)}) {
    const Int8Case<int8_t> test(s, -9);
    const auto bias = test.foldedBias(0, 0);
    const Requantize requantize{bias.data(), test.factors.data(), -100, 90, 3};
    const auto add = [&](int32_t v, int64_t, int64_t c, int64_t, int64_t) { return v + bias[size_t(c)]; };
    std::vector<int32_t> sums(test.expected.size(), -7);
    std::vector<int8_t> bytes(test.expected.size());
    alignas(16) int8_t scratch[4096];

    const auto taps = packDepthwise(test.weights, s.channels, s.kernelH * s.kernelW);
    depthwiseLines(s, test.in.data(), -9, taps.data(), sums.data(), &scratch[0], 0, s.outHeight, add);
    CHECK(sums == test.expected);

    REQUIRE(columnScratch(s.channels, s.outWidth, s.strideW) <= int64_t(sizeof(scratch)));
    const bool two = columnRows(s.kernelH, s.strideH) == 2;
    const auto weights = packColumns(test.weights, s.channels, s.kernelH, s.kernelW, two ? 2 : 1);
    const auto run = [&](auto *out, auto epilogue) {
      if (two)
        depthwiseColumns<2>(s, test.in.data(), -9, weights.data(), out, &scratch[0], 0, s.outHeight, epilogue);
      else
        depthwiseColumns<1>(s, test.in.data(), -9, weights.data(), out, &scratch[0], 0, s.outHeight, epilogue);
    };
    sums.assign(sums.size(), -7);
    run(sums.data(), add);
    CHECK(sums == test.expected);
    run(bytes.data(), requantize);
    CHECK(bytes == test.requantized(-100, 90, 3));
  }
}
