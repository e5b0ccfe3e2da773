// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scale with which integers stand for weights. weights.h and weights_only.h say which weights share one.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>

namespace sinter::quantize {

/// Floats from 2^23 on have no fractions, so that adding this and taking it away rounds to the nearest integer, ties to
/// even: vectors of any CPU do that, where std::nearbyint is a call.
inline constexpr float withoutFractions = 1.5f * (1 << 23);

/// The integer for a value, from `least` to `most`.
inline float rounded(float value, float scale, int least, int most) {
  return (std::clamp(value / scale, float(least), float(most)) + withoutFractions) - withoutFractions;
}

enum class WeightRange {
  Largest, ///< up to the largest value
  Mse,     ///< where the mean squared error is least
};

/// A scale with which integers up to `most` stand for these values; 1 where all are zero, as any would do.
float symmetricScale(llvm::ArrayRef<float> values, int most, WeightRange range);

} // namespace sinter::quantize
