// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epilogue of a quantized product as an object, where it has no more than this: bias per channel, a float factor
// per channel, one rounding to nearest even, a clamp, the output's zero point. Kernels with vectors of four sums do it
// in a dozen instructions; for all others it is an epilogue like any (operator()).
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/math_round.h"

namespace sinter {
namespace {

/// kIsRequantize<Epilogue>: an epilogue of this form. `low` and `high`: limits before `zero` is added.
struct Requantize {
  const int32_t *bias;
  const float *factor;
  int32_t low, high, zero;

  template <class... Index>
  SINTER_INLINE_MEMBER int32_t operator()(int32_t sum, int64_t, int64_t c, Index...) const {
    const float scaled = roundEven(float(add(sum, bias[c])) * factor[c]);
    return int32_t(clamp(scaled, float(low), float(high))) + zero;
  }
};
template <class Epilogue>
constexpr bool kIsRequantize = false;
template <>
constexpr bool kIsRequantize<Requantize> = true;

} // namespace
} // namespace sinter
