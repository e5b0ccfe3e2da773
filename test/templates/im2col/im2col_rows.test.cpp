// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 8-bit kernels of small cores: every core against sums by their definition, over kernels, strides, pads and odd
// channel counts. On the host the portable loops run; Helium's assembly is helium.cpp's.
#include "int8_reference.h"
#include "packing.h"
#include "templates/im2col/depthwise_columns.h"
#include "templates/im2col/depthwise_im2col.h"
#include "templates/im2col/row_core_m0.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;

namespace {

std::vector<ConvShape> convolutions() {
  return {int8Shape(7, 5, 3, 6, 3, 3, 1, 1),  int8Shape(5, 4, 16, 8, 1, 1, 1, 0), int8Shape(6, 5, 64, 5, 1, 1, 1, 0),
          int8Shape(9, 8, 1, 7, 10, 4, 2, 1), int8Shape(8, 9, 16, 9, 3, 3, 2, 1), int8Shape(4, 4, 20, 4, 1, 1, 2, 0),
          int8Shape(5, 6, 8, 12, 1, 1, 1, 0), int8Shape(6, 9, 3, 4, 3, 3, 1, 0),  int8Shape(6, 7, 32, 4, 2, 3, 1, 0)};
}

/// What the compiler lays out for a convolution: the kernel's scratch ends where a sanitizer sees it.
template <class Core, int kRuns, class TA>
struct Im2colCase {
  const ConvShape &s;
  Int8Case<TA> test;
  int32_t zero;
  std::vector<uint8_t> weights;
  std::vector<int32_t> bias;
  std::vector<uint32_t> scratch;

  Im2colCase(const ConvShape &shape, int32_t zeroPoint)
      : s(shape), test(shape, zeroPoint),
        zero(kSame<TA, uint8_t> ? zeroPoint - 128 : zeroPoint), // as the core holds it
        weights(packIm2col<Core>(test.weights, s.filters, kRuns, s.kernelH / kRuns * s.kernelW * s.channels)),
        // What depends on weights only is the bias's.
        bias(test.foldedBias(kSame<TA, uint8_t> ? 128 : 0, Core::kHeader > 0 ? 128 : 0)) {
    const int64_t k = s.kernelH * s.kernelW * s.channels;
    scratch.resize(size_t(im2colCount<Core>(k, kRuns, readsInPlace<Core, TA>(s, kRuns), s.outHeight * s.outWidth) *
                          im2colPitch<Core>(k, kRuns) / 4));
  }
  template <class TC, class Epilogue>
  std::vector<TC> run(Epilogue epilogue) {
    std::vector<TC> out(test.expected.size(), TC(-7));
    convIm2col<Core, kRuns>(s, test.in.data(), zero, weights.data(), out.data(),
                            reinterpret_cast<uint8_t *>(scratch.data()), 0, s.outHeight, epilogue);
    return out;
  }
};

template <class Core, int kRuns, class TA>
void checkIm2col(const ConvShape &s, int32_t zero) {
  Im2colCase<Core, kRuns, TA> rows(s, zero);
  const auto &bias = rows.bias;
  const auto withBias = [&](auto v, int64_t, int64_t c, int64_t, int64_t) {
    return add(v, load<decltype(v)>(bias.data() + c));
  };
  CHECK(rows.template run<int32_t>(withBias) == rows.test.expected);
  CHECK(rows.template run<float>(withBias) == std::vector<float>(rows.test.expected.begin(), rows.test.expected.end()));
  CHECK(rows.template run<int8_t>(Requantize{bias.data(), rows.test.factors.data(), -100, 90, 3}) ==
        rows.test.requantized(-100, 90, 3));
  // The same as an epilogue like any, four sums at a time where the core has them.
  const Requantize requantize{bias.data(), rows.test.factors.data(), -100, 90, 3};
  const auto coordinates = [&](auto v, int64_t n, int64_t c, int64_t h, int64_t w) {
    const bool inside = n == 0 && c >= 0 && c < s.filters && h >= 0 && h < s.outHeight && w >= 0 && w < s.outWidth;
    return convert<Like<decltype(v), int8_t>>(select(inside, requantize.apply(v, c), decltype(v){}));
  };
  CHECK(rows.template run<int8_t>(coordinates) == rows.test.requantized(-100, 90, 3));
}

/// The same with one factor for all channels, four times.
template <class Core>
void checkOneFactor(const ConvShape &s) {
  Im2colCase<Core, 1, int8_t> rows(s, -9);
  rows.test.factors.assign(rows.test.factors.size(), 3e-4f);
  const float factors[4] = {3e-4f, 3e-4f, 3e-4f, 3e-4f};
  CHECK(rows.template run<int8_t>(Requantize{rows.bias.data(), &factors[0], -100, 90, 3, 0}) ==
        rows.test.requantized(-100, 90, 3));
}

template <class Core, int kRuns>
void checkKinds(const ConvShape &s) {
  checkIm2col<Core, kRuns, int8_t>(s, -128);
  checkIm2col<Core, kRuns, int8_t>(s, 5);
  checkIm2col<Core, kRuns, uint8_t>(s, 0);
  checkIm2col<Core, kRuns, uint8_t>(s, 131);
}

} // namespace

TEST_CASE_TEMPLATE("convolutions by rows", Core, PlainRows, BiasedRows, VectorRows) {
  for (const ConvShape &s : convolutions()) {
    checkKinds<Core, 1>(s);
    checkOneFactor<Core>(s);
  }
}

TEST_CASE("convolutions by rows of a run for each row of the window") {
  for (const ConvShape &s : convolutions())
    if (s.kernelH == 2)
      checkKinds<VectorRows, 2>(s);
    else if (s.kernelH == 3)
      checkKinds<VectorRows, 3>(s);
}

TEST_CASE("rows are read in place where windows and whole steps are inside") {
  const auto counts = [](const ConvShape &s, int32_t h, int32_t most) {
    std::vector<int32_t> result;
    for (int32_t w = 0; w < s.outWidth; ++w)
      result.push_back(rowsInPlace<VectorRows>(s, h, w, most));
    return result;
  };
  const ConvShape borders = int8Shape(5, 5, 16, 4, 3, 3, 1, 1);
  CHECK(counts(borders, 0, 99) == std::vector<int32_t>{0, 0, 0, 0, 0});
  CHECK(counts(borders, 1, 99) == std::vector<int32_t>{0, 3, 2, 1, 0});
  CHECK(counts(borders, 1, 2) == std::vector<int32_t>{0, 2, 2, 1, 0});
  CHECK(counts(borders, 4, 99) == std::vector<int32_t>{0, 0, 0, 0, 0});
  // Nine bytes are read as sixteen: 7 behind the window must be there.
  const ConvShape few = int8Shape(4, 8, 3, 4, 3, 3, 1, 0);
  CHECK(counts(few, 0, 99) == std::vector<int32_t>{6, 5, 4, 3, 2, 1});
  CHECK(counts(few, 1, 99) == std::vector<int32_t>{3, 2, 1, 0, 0, 0});
  // Pixels of rows that adjoin.
  const ConvShape pixels = int8Shape(2, 3, 8, 4, 1, 1, 1, 0);
  CHECK(counts(pixels, 0, 99) == std::vector<int32_t>{5, 4, 3});
  CHECK(counts(pixels, 1, 99) == std::vector<int32_t>{2, 1, 0});
}

TEST_CASE_TEMPLATE("matrix products by rows", Core, PlainRows, BiasedRows, VectorRows) {
  for (int64_t k : {1, 8, 64, 100}) {
    const ConvShape s = int8Shape(3, 1, k, 10, 1, 1, 1, 0);
    const Int8Case<int8_t> test(s, -3);
    const auto weights = packIm2col<Core>(test.weights, 10, 1, k);
    const auto bias = test.foldedBias(0, Core::kHeader > 0 ? 128 : 0);
    alignas(16) uint8_t scratch[256];
    std::vector<int32_t> sums(30);
    gemmIm2col<Core>(test.in.data(), k, weights.data(), sums.data(), 10, 3, 10, k, &scratch[0],
                     [&](auto v, int64_t, int64_t j) { return add(v, load<decltype(v)>(bias.data() + j)); });
    CHECK(sums == test.expected);
    std::vector<int8_t> bytes(30);
    const Requantize requantize{bias.data(), test.factors.data(), -100, 90, 3};
    gemmIm2col<Core>(test.in.data(), k, weights.data(), bytes.data(), 10, 3, 10, k, &scratch[0], requantize);
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
    depthwiseIm2col(s, test.in.data(), -9, taps.data(), sums.data(), &scratch[0], 0, s.outHeight, add);
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
