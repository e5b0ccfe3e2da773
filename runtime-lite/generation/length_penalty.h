// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// length^penalty, by which the scores of beams are divided; equal on every target, as it takes no library's pow.
#pragma once

#include "runtime-lite/generation/fixed_math.h"

namespace sinter {
namespace {

/// n^power for n >= 1, at most 2^-18 of itself off; whole powers are products.
SINTER_FUNCTION double powerOfLength(int32_t n, float power) {
  const bool negative = power < 0;
  double size = negative ? -double(power) : double(power);
  double result = 1;
  if (size <= 64 && double(int32_t(size)) == size) {
    for (int32_t i = int32_t(size); i > 0; --i)
      result *= n;
  } else if (n > 1) {
    // exp(-x) is exact enough up to 4; greater ones are squares of such.
    double x = size * double(lnFixed(uint64_t(n), 0)) * (1.0 / (1 << kDistanceBits));
    int squares = 0;
    for (; x > 4 && squares < 16; ++squares)
      x *= 0.5;
    result = 0x1p40 / double(weightOf(uint32_t(x * (1 << kDistanceBits))));
    for (; squares; --squares)
      result *= result;
  }
  return negative ? 1 / result : result;
}

} // namespace
} // namespace sinter
