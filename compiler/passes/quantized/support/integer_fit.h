// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic that equals a given function of one or two whole numbers on every input. Bytes have 256 values and
// pairs of them 65536, so that what is found here is proved. integer_fit.cpp has the search; who asks:
// fit_integers.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinter {

/// Consecutive integers.
struct IntegerRange {
  int64_t low = 0, count = 1;
  int64_t high() const { return low + count - 1; }
};

/// A function of two integers, all of it. That of one has a second input of one value.
struct PairTable {
  std::array<IntegerRange, 2> inputs;
  std::vector<int32_t> results; ///< [first][second]
};

/// (a * factors[0] + offset + b * factors[1]) >> shift, limited to low .. high; computed in this order in 32 bits,
/// nothing overflows.
struct AffineShift {
  std::array<int64_t, 2> factors{0, 0};
  int64_t offset = 0;
  unsigned shift = 0;
  int64_t low = 0, high = 0;

  int64_t sum(int64_t a, int64_t b) const { return a * factors[0] + offset + b * factors[1]; }
  int64_t at(int64_t a, int64_t b) const {
    int64_t x = sum(a, b) >> shift;
    return x < low ? low : x > high ? high : x;
  }
};

/// Equal to `table` at every entry; nothing where there is none. Limits are those of a signed or an unsigned byte where
/// that makes no difference, because cores saturate to these in one instruction.
std::optional<AffineShift> affineShiftOf(const PairTable &table);

} // namespace sinter
