// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epilogue of a quantized product as what it is: for each channel a rising step function from int32 sums to 8-bit
// elements. Whoever has a faster way to compute it can be held to it at every step: two rising functions are equal
// where they are on both sides of each step. How epilogues are read: read_step_functions.cpp. Faster ways: rescaling.h.
#pragma once

#include "interpreter/interpreter.h"
#include "ir/dialect.h"

namespace sinter {

/// A float or an integer on its way through a chain of steps.
struct ChainNumber {
  bool isFloat = false;
  float f = 0;
  int64_t i = 0;
};

/// One operation on the way from a sum to an element; its other operand is a constant.
struct EpilogueStep {
  enum Kind { AddInt, ToFloat, Mul, Div, AddFloat, RoundEven, MaxFloat, MinFloat, MaxInt, MinInt, ToInt, Narrow } kind;
  float number = 0;
  int64_t integer = 0;
  int64_t low = 0, high = 0; ///< of ToInt and Narrow: what fits

  /// False where the result does not fit its type.
  bool apply(ChainNumber &x) const;
};

/// The epilogue of one channel.
class StepFunction {
public:
  /// Nothing where some step has no result (a value that does not fit its type).
  std::optional<int64_t> at(int64_t sum) const;
  /// As floats, before rounding; nothing where the chain does not round floats.
  std::optional<double> beforeRounding(int64_t sum) const;
  /// What is added behind the rounding.
  std::optional<int64_t> zero() const;
  /// The factor, where the chain before rounding is no more than a sum of integers times it.
  std::optional<float> factor() const;

  /// The least sum in -bound .. bound whose element is at least k; bound + 1 if there is none.
  int64_t threshold(int64_t k, int64_t bound) const;

  std::vector<EpilogueStep> steps;
};

/// What an epilogue rounds its sum to, one function for each channel.
struct RoundedSum {
  mlir::Value element; ///< what else the epilogue does (adds a residual) reads no more of the sum than this integer
  std::vector<StepFunction> functions;
};
/// The element depends on nothing but the sum and constants of the output's dims in `channelDims`. Nothing where that
/// is not so, or an operation is none of EpilogueStep, or some function falls.
std::optional<RoundedSum> roundedSum(mlir::Block &epilogue, mlir::ValueRange inputs, mlir::ArrayAttr maps,
                                     mlir::ArrayRef<int64_t> channelDims, int64_t channels, EvaluationCache &cache);

} // namespace sinter
