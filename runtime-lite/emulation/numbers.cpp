// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of the device, by the CPU's own (runtime-lite/half.h).
#include "emulation.h"

#include "runtime-lite/half.h"

namespace sinter::cuda::emulation {

float floatOfF16(uint16_t bits) { return halfToFloat<f16>(bits); }
uint16_t f16OfFloat(float x) { return floatToHalf<f16>(x); }
int32_t roundTo(float x, int32_t low, int32_t high) {
  if (std::isnan(x))
    return 0;
  const double rounded = std::nearbyint(double(x));
  return rounded < low ? low : rounded > high ? high : int32_t(rounded);
}

} // namespace sinter::cuda::emulation
