// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of dual_reference.h that doctest and the emulated boards run: every path of the kernels.
#pragma once

#include "dual_reference.h"

namespace sinter::test {

/// A rule, element types of input and output.
template <Rule kRule, class In = int8_t, class Out = int8_t>
struct Results {
  static constexpr Rule rule = kRule;
  using TA = In;
  using TC = Out;
};
constexpr Results<Rule::Mixed> mixed;
constexpr Results<Rule::Defined, uint8_t, uint8_t> defined;
constexpr Results<Rule::Lambda, int8_t, uint8_t> lambda;
constexpr Results<Rule::Then> then;

/// visit(name, outcome, products) for each case.
template <class Visit>
void dualConvCases(Visit visit) {
  // Each shape with proved filters and one more rule, in turn: loops and what is made of sums are independent, and
  // every pair of both takes half a second to compile.
  const auto each = [&](const char *name, auto shape, auto other) {
    using S = decltype(shape);
    using Other = decltype(other);
    const int64_t products =
        S::filters * S::outHeight * S::outWidth * S::channels / S::groups * S::kernelH * S::kernelW;
    visit(name, ConvCase<S, int8_t, int8_t, Rule::Proved>::check(), products);
    visit(name, ConvCase<S, typename Other::TA, typename Other::TC, Other::rule>::check(), products);
  };
  each("1x1 64-64, odd number of pixels", QuantShape<64, 5, 5, 64, 1, 1, 1, 0, 0, 5, 5>{}, mixed);
  each("1x1 7-5", QuantShape<7, 3, 4, 5, 1, 1, 1, 0, 0, 3, 4>{}, defined);
  each("1x1 18-9", QuantShape<18, 3, 3, 9, 1, 1, 1, 0, 0, 3, 3>{}, lambda);
  each("1x1 stride 2", QuantShape<16, 8, 8, 12, 1, 1, 2, 0, 0, 4, 4>{}, then);
  each("10x4 stride 2, pairs below each other", QuantShape<1, 49, 10, 16, 10, 4, 2, 4, 1, 25, 5>{}, mixed);
  each("3x3 of 3 channels, whole words", QuantShape<3, 10, 10, 16, 3, 3, 1, 1, 1, 10, 10>{}, defined);
  each("3x3 of 3 channels, stride 2", QuantShape<3, 12, 12, 8, 3, 3, 2, 0, 0, 6, 6>{}, lambda);
  each("planes, 3x3 of 3 channels, stride 2", QuantShape<3, 13, 15, 8, 3, 3, 2, 0, 1, 6, 7, 1, 1>{}, then);
  each("planes, 3x3 of 3 channels, filled up", QuantShape<3, 10, 10, 6, 3, 3, 1, 1, 1, 10, 10, 1, 1>{}, mixed);
  each("planes, 2x5 of 4 channels", QuantShape<4, 6, 17, 8, 2, 5, 1, 0, 2, 5, 17, 1, 1>{}, defined);
  each("planes, 1x1 of 7 channels", QuantShape<7, 3, 5, 4, 1, 1, 1, 0, 0, 3, 5, 1, 1>{}, lambda);
  each("3x3 16-16", QuantShape<16, 9, 8, 16, 3, 3, 1, 1, 1, 9, 8>{}, then);
  each("3x3 32-32, odd width", QuantShape<32, 7, 17, 8, 3, 3, 1, 1, 1, 7, 17>{}, mixed);
  each("3x3 32, short rows, odd height", QuantShape<32, 7, 5, 8, 3, 3, 1, 1, 1, 7, 5>{}, defined);
  each("pads wider than the input", QuantShape<4, 2, 2, 4, 3, 3, 1, 3, 3, 6, 6>{}, lambda);
  each("depthwise, rows of 5", QuantShape<8, 25, 5, 8, 3, 3, 1, 1, 1, 25, 5, 8>{}, then);
  each("depthwise, rows of 6 and rest", QuantShape<6, 6, 6, 6, 3, 3, 1, 1, 1, 6, 6, 6>{}, mixed);
  each("depthwise, rows of 10: groups of 6 and 4", QuantShape<4, 4, 10, 4, 3, 3, 1, 1, 1, 4, 10, 4>{}, defined);
  each("depthwise, rows of 13", QuantShape<4, 3, 13, 4, 3, 3, 1, 1, 1, 3, 13, 4>{}, lambda);
  each("depthwise, groups of 4", QuantShape<7, 3, 16, 7, 3, 3, 1, 1, 1, 3, 16, 7>{}, then);
  each("depthwise, rows of 5 from 4 columns", QuantShape<4, 4, 4, 4, 3, 3, 1, 1, 2, 4, 5, 4>{}, mixed);
  each("depthwise, one column", QuantShape<4, 4, 1, 4, 3, 3, 1, 1, 1, 4, 1, 4>{}, defined);
  each("depthwise, padding alone", QuantShape<4, 3, 2, 4, 3, 3, 1, 3, 3, 7, 6, 4>{}, lambda);
  each("depthwise stride 2, padding first, 5", QuantShape<4, 9, 10, 4, 3, 3, 2, 1, 1, 5, 5, 4>{}, then);
  each("depthwise stride 2, padding first, 14", QuantShape<4, 5, 28, 4, 3, 3, 2, 1, 1, 3, 14, 4>{}, mixed);
  each("depthwise, rows of 3", QuantShape<4, 3, 3, 4, 3, 3, 1, 1, 1, 3, 3, 4>{}, defined);
  each("depthwise, several strips", QuantShape<4, 48, 48, 4, 3, 3, 1, 1, 1, 48, 48, 4>{}, lambda);
  each("depthwise stride 2", QuantShape<5, 13, 14, 5, 3, 3, 2, 0, 0, 6, 6, 5>{}, then);
  each("depthwise stride 2, pads at the end", QuantShape<4, 48, 48, 4, 3, 3, 2, 0, 0, 24, 24, 4>{}, mixed);
  each("depthwise 2x3, pads of 2", QuantShape<4, 5, 9, 4, 2, 3, 1, 1, 2, 5, 9, 4>{}, defined);
  each("Winograd 16-16, whole tiles", WinogradShape<16, 8, 12, 16, 1, 1, 8, 12>{}, lambda);
  each("Winograd 32-32", WinogradShape<32, 16, 16, 32, 1, 1, 16, 16>{}, then);
  each("Winograd 64-64", WinogradShape<64, 8, 8, 64, 1, 1, 8, 8>{}, mixed);
  each("Winograd 4-5, odd height and width", WinogradShape<4, 7, 9, 5, 1, 1, 7, 9>{}, defined);
  each("Winograd 8-4, width of 3 modulo 4", WinogradShape<8, 5, 7, 4, 1, 1, 5, 7>{}, lambda);
  each("Winograd 12-8, width of 2 modulo 4, no pads", WinogradShape<12, 8, 12, 8, 0, 0, 6, 10>{}, then);
  each("Winograd, pads of 2 on all sides", WinogradShape<4, 3, 3, 4, 2, 2, 5, 5>{}, mixed);
  each("Winograd, padding at the top", WinogradShape<4, 6, 10, 8, 1, 0, 5, 8>{}, defined);
  each("Winograd, one output", WinogradShape<4, 3, 3, 4, 0, 0, 1, 1>{}, lambda);
  each("Winograd 132-4, more steps than are straight code", WinogradShape<132, 3, 6, 4, 1, 1, 3, 6>{}, then);
  each("one row", QuantShape<8, 1, 9, 4, 1, 3, 1, 0, 1, 1, 9>{}, mixed);
}

template <class Visit>
void dualMatmulCases(Visit visit) {
  visit("640-128", MatmulCase<1, 640, 128, int8_t, Rule::Proved>::check(), 640 * 128);
  visit("rows of 64, 12 columns", MatmulCase<3, 64, 12, uint8_t, Rule::Proved>::check(), 3 * 64 * 12);
  visit("12 columns, some not proved", MatmulCase<3, 64, 12, int8_t, Rule::Mixed>::check(), 3 * 64 * 12);
  visit("12 columns over their residual", MatmulCase<3, 64, 12, int8_t, Rule::Then>::check(), 3 * 64 * 12);
  visit("37 inputs", MatmulCase<2, 37, 9, uint8_t, Rule::Defined>::check(), 2 * 37 * 9);
  visit("3 inputs, own epilogue", MatmulCase<2, 3, 17, int8_t, Rule::Lambda>::check(), 2 * 3 * 17);
}

} // namespace sinter::test
