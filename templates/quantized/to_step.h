// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last step of quantized kernels: a float to an integer type.
#pragma once

#include "templates/math/limits.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// The nearest whole number (ties to even), saturated to T's range raised by `lift`, less `lift`; of one float or of a
/// vector's. NaN gives the least.
template <class T, class V>
SINTER_INLINE Like<V, T> toStep(V value, int32_t lift = 0) {
  const V low = splat<V>(float(int32_t(lowest<T>()) + lift)), high = splat<V>(float(int32_t(highest<T>()) + lift));
  const V whole = firstIfSmaller(firstIfLarger(roundEven(value), low), high);
  return rawConvert<Like<V, T>>(sub(rawConvert<Like<V, int32_t>>(whole), splat<Like<V, int32_t>>(lift)));
}

} // namespace
} // namespace sinter
