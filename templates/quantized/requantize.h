// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epilogue of a quantized contraction as an object, where it has no more than this: bias per channel, a float
// factor per channel, one rounding to nearest even, a clamp, the output's zero point. Kernels with vectors of four sums
// do it in a dozen instructions; for all others it is an epilogue like any (operator()).
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// `low` and `high`: limits before `zero` is added, at most 2^22 from 0.
struct Requantize {
  const int32_t *bias;
  const float *factor;
  int32_t low, high, zero;
  int32_t step = 1; ///< 0: all channels have one factor, which stands there four times, for four lanes at most

  /// Lanes run along channels.
  template <class V>
  SINTER_INLINE_MEMBER V apply(V sum, int64_t c) const {
    using F = Like<V, float>;
    const F scaled = rawConvert<F>(add(sum, load<V>(bias + c))) * load<F>(factor + c * step);
    const F inside = clamp(scaled, splat<F>(float(low)), splat<F>(float(high)));
    return add(nearestInt<V>(inside), splat<V>(zero));
  }
  /// As an epilogue of a matrix product, and of a convolution.
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V sum, int64_t, int64_t j) const {
    return apply(sum, j);
  }
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V sum, int64_t, int64_t c, int64_t, int64_t) const {
    return apply(sum, c);
  }
};
/// Whether an epilogue has this form.
template <class Epilogue>
constexpr bool kIsRequantize = kSame<Epilogue, Requantize>;

} // namespace
} // namespace sinter
