// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intervals of 64-bit integers whose ends saturate: what an end of the type's range stands for is "no bound".
#pragma once

#include <algorithm>
#include <cstdint>

namespace sinter {

/// Both ends belong to it. Not bounded: the type's whole range.
struct Interval {
  int64_t low = INT64_MIN, high = INT64_MAX;

  static Interval of(int64_t value) { return {value, value}; }
  bool isBounded() const { return low != INT64_MIN && high != INT64_MAX; }
  bool contains(Interval other) const { return low <= other.low && other.high <= high; }
  Interval unite(Interval other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
  Interval intersect(Interval other) const { return {std::max(low, other.low), std::min(high, other.high)}; }

  /// Beyond 64 bits, and with an end that is no bound: the end on that side.
  static int64_t sum(int64_t a, int64_t b) {
    int64_t result;
    if (a == INT64_MIN || a == INT64_MAX)
      return a;
    if (b == INT64_MIN || b == INT64_MAX)
      return b;
    return __builtin_add_overflow(a, b, &result) ? (a < 0 ? INT64_MIN : INT64_MAX) : result;
  }
  static int64_t product(int64_t a, int64_t b) {
    int64_t result;
    if (a == 0 || b == 0)
      return 0;
    bool isEnd = a == INT64_MIN || a == INT64_MAX || b == INT64_MIN || b == INT64_MAX;
    return isEnd || __builtin_mul_overflow(a, b, &result) ? ((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX) : result;
  }
  friend Interval operator+(Interval a, Interval b) { return {sum(a.low, b.low), sum(a.high, b.high)}; }
  friend Interval operator*(Interval a, Interval b) {
    auto [low, high] =
        std::minmax({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
    return {low, high};
  }
};

} // namespace sinter
