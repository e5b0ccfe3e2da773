// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// round_to_byte.h against the definition, step by step, at ties, limits and what is no number.
#include "runtime-lite/round_to_byte.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace sinter;

namespace {
int32_t expected(float x, int32_t zero, int32_t low, int32_t high) {
  const float whole = std::isnan(x) ? 0 : std::nearbyint(x);
  return int32_t(std::fmin(std::fmax(whole + float(zero), float(low)), float(high)));
}
} // namespace

TEST_CASE("a float to a byte") {
  using L = std::numeric_limits<float>;
  for (const int32_t zero : {-128, -15, 0, 1, 127}) {
    for (const float x : {L::quiet_NaN(), L::infinity(), -L::infinity(), L::max(), L::lowest(), L::denorm_min(),
                          0x1p31f, -0x1p31f, 0x1p23f, 0x1.fffffep22f, -0x1p24f, 8388609.0f}) {
      CHECK(roundToInt8(x, zero) == expected(x, zero, -128, 127));
      CHECK(roundToUint8(x, zero + 128) == expected(x, zero + 128, 0, 255));
    }
    for (int32_t quarter = -2000; quarter <= 2000; ++quarter)
      for (const float nudge : {-1e-4f, 0.0f, 1e-4f}) {
        const float x = float(quarter) / 4 + nudge;
        CHECK(roundToInt8(x, zero) == expected(x, zero, -128, 127));
        CHECK(roundToUint8(x, zero + 128) == expected(x, zero + 128, 0, 255));
      }
  }
}
