// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epilogue of a quantized contraction as what it is: for each channel a rising step function from int32 sums to
// 8-bit elements. Whoever has a faster way to compute it can be held to it at every step: two rising functions are
// equal where they are on both sides of each step. Faster ways: rescaling.h.
#pragma once

#include "known_factor.h"

namespace sinter {

/// The epilogue of one channel: clamp(round(float(sum + bias) * factor + addend), low, high) + zero.
struct StepFunction {
  int64_t bias = 0;
  std::optional<float> factor; ///< positive
  std::optional<float> addend;
  int64_t low = 0, high = 0, zero = 0;

  /// As a float, before rounding; nothing where the sum does not fit in 32 bits.
  std::optional<float> beforeRounding(int64_t sum) const;
  std::optional<int64_t> at(int64_t sum) const;
  /// The least sum in -bound .. bound whose element is at least k; bound + 1 if there is none.
  int64_t threshold(int64_t k, int64_t bound) const;
};

/// What an epilogue rounds its sum to, one function for each channel.
struct RoundedSum {
  mlir::Value element; ///< what else the epilogue does (adds a residual) reads no more of the sum than this integer
  std::vector<StepFunction> functions;
};
/// The epilogue's sinter.requantize of its sum alone. Nothing where there is none, or its numbers are not known, or do
/// not run along the last of the output's dims `channelDims`, or some function falls.
std::optional<RoundedSum> roundedSum(const ElementBody &epilogue, mlir::ArrayRef<int64_t> channelDims, int64_t channels,
                                     EvaluationCache &cache);

} // namespace sinter
