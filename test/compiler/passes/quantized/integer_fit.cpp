// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for integer arithmetic against all there is: every input of what it finds, and all factors there are where
// it finds nothing.
#include "passes/quantized/support/integer_fit.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// A sum of two bytes with scales and zero points, as quantized nets define it.
PairTable residual(float left, float right, float over, int zeros, int low, int high) {
  PairTable table{{IntegerRange{-128, 256}, IntegerRange{-128, 256}}, {}};
  for (int a = -128; a < 128; ++a)
    for (int b = -128; b < 128; ++b) {
      float x = (static_cast<float>(a - zeros) * left + static_cast<float>(b + zeros) * right) / over;
      table.results.push_back(static_cast<int>(std::fmin(std::fmax(std::nearbyint(x), low), high)));
    }
  return table;
}

bool isEverywhere(const AffineShift &x, const PairTable &table) {
  size_t i = 0;
  for (int64_t a = table.inputs[0].low; a <= table.inputs[0].high(); ++a)
    for (int64_t b = table.inputs[1].low; b <= table.inputs[1].high(); ++b) {
      int64_t product = a * x.factors[0], other = b * x.factors[1], part = product + x.offset, sum = part + other;
      for (int64_t number : {product, other, part, sum})
        if (number != static_cast<int32_t>(number))
          return false;
      if (x.at(a, b) != table.results[i++])
        return false;
    }
  return true;
}

/// Tries all factors of one input: an offset is left between the demands of all entries, or none.
bool isPossible(const PairTable &table, unsigned shift, int64_t most) {
  auto [low, high] = std::minmax_element(table.results.begin(), table.results.end());
  for (int64_t factor = -most; factor <= most; ++factor) {
    int64_t from = -(int64_t(1) << 31), to = -from - 1;
    for (int64_t a = table.inputs[0].low; a <= table.inputs[0].high(); ++a) {
      int64_t result = table.results[a - table.inputs[0].low];
      if (result > *low)
        from = std::max(from, (result << shift) - a * factor);
      if (result < *high)
        to = std::min(to, ((result + 1) << shift) - 1 - a * factor);
    }
    if (from <= to)
      return true;
  }
  return false;
}

} // namespace

TEST_CASE("sums of two bytes are integers on all 65536 pairs") {
  uint32_t state = 1;
  auto random = [&] { return static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0f; };
  for (int i = 0; i < 12; ++i) {
    PairTable table = residual(0.003f + 0.02f * random(), 0.003f + 0.02f * random(), 0.015f,
                               static_cast<int>(random() * 200) - 100, i % 2 ? 0 : -128, i % 2 ? 255 : 127);
    CAPTURE(i);
    std::optional<AffineShift> x = affineShiftOf(table);
    REQUIRE(x);
    CHECK(isEverywhere(*x, table));
  }
}

TEST_CASE("limits are those of a byte where the results allow it") {
  std::optional<AffineShift> full = affineShiftOf(residual(0.02f, 0.03f, 0.01f, 3, -128, 127));
  REQUIRE(full);
  CHECK(full->low == -128);
  CHECK(full->high == 127);
  std::optional<AffineShift> bounded = affineShiftOf(residual(0.02f, 0.03f, 0.01f, 3, -5, 200)); // as Relu6 has it
  REQUIRE(bounded);
  CHECK(bounded->low == -5);
  CHECK(bounded->high == 200);
  std::optional<AffineShift> inside =
      affineShiftOf(residual(0.0021347189f, 0.0031719387f, 0.01f, 3, -120, 120)); // never reached
  REQUIRE(inside);
  CHECK(inside->low == -128);
  CHECK(inside->high == 127);
}

TEST_CASE("halves to even need not be a line") {
  PairTable table{{IntegerRange{-8, 17}, IntegerRange{0, 1}}, {}};
  for (int a = -8; a <= 8; ++a)
    table.results.push_back(static_cast<int>(std::nearbyint(a * 0.5)));
  CHECK_FALSE(affineShiftOf(table));
  for (unsigned shift = 1; shift < 13; ++shift)
    CHECK_FALSE(isPossible(table, shift, int64_t(1) << shift));
}

TEST_CASE("what is found for few values is what trying everything finds") {
  uint32_t state = 7;
  auto random = [&](uint32_t most) { return (state = state * 1664525u + 1013904223u) / 65536 % most; };
  int found = 0;
  for (int i = 0; i < 300; ++i) { // rising in irregular steps: some are lines, some are not
    PairTable table{{IntegerRange{-3, 8}, IntegerRange{0, 1}}, {}};
    int32_t at = 0;
    for (int a = 0; a < 8; ++a)
      table.results.push_back(at += static_cast<int32_t>(random(3)));
    std::optional<AffineShift> x = affineShiftOf(table);
    CAPTURE(i);
    CHECK(x.has_value() == isPossible(table, 8, 3 * 256));
    if (x)
      CHECK(isEverywhere(*x, table));
    found += x.has_value();
  }
  CHECK(found > 10);
  CHECK(found < 290);
}
