// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last step of quantized kernels: a float to an integer type.
#pragma once

#include "templates/math/limits.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// The nearest whole number (ties to even), saturated to T's range raised by `lift`, less `lift`. NaN gives the least.
template <class T>
SINTER_INLINE T toStep(float value, int32_t lift = 0) {
  const float low = float(int32_t(lowest<T>()) + lift), high = float(int32_t(highest<T>()) + lift);
  const float rounded = roundEven(value);
  return T(int32_t(rounded > low ? (rounded < high ? rounded : high) : low) - lift);
}

} // namespace
} // namespace sinter
