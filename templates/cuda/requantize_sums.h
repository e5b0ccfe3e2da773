// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last step of quantized products as an epilogue: the CPU's definition (templates/quantized/requantize.h), equal to
// its last integer: bias and a float factor per channel, one rounding to nearest even, a clamp, the output's zero
// point. Where the limits are T's range and the zero point is 0, the rounding's instruction also clamps: three
// instructions in all.
#pragma once

#include "templates/cuda/device_numbers.h"

namespace sinter::cuda {
namespace {

/// `low` and `high`: limits before `zero` is added. T: the output's elements.
template <class T>
struct Requantize {
  const int32_t *bias;
  const float *factor;
  int32_t low, high, zero;
  int32_t step = 1; ///< 0: all channels have one factor

  /// The sum of channel j.
  SINTER_DEVICE int32_t operator()(int32_t sum, int, int j) const {
    const float scaled = float(int32_t(uint32_t(sum) + uint32_t(bias[j]))) * factor[j * step];
    constexpr int32_t least = kSame<T, int8_t> ? -128 : 0, most = kSame<T, int8_t> ? 127 : 255;
    if (zero == 0 && low == least && high == most)
      return roundTo<T>(scaled);
    const float above = scaled < float(low) ? float(low) : scaled;
    return roundTo<int32_t>(above > float(high) ? float(high) : above) + zero;
  }
};

} // namespace
} // namespace sinter::cuda
