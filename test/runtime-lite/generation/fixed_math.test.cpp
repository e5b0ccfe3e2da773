// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fixed_math.h: weights and logarithms against those of double, and values that must be the same on every target.
#include "runtime-lite/generation/fixed_math.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace sinter;

TEST_CASE("fixed_math: weights are exp of minus the distance") {
  CHECK(weightOf(0) == uint64_t(1) << 40);
  for (uint64_t distance = 0; distance < 0xffffffffu; distance += 199933) {
    const double exact = std::exp(-double(distance) * 0x1p-26);
    CHECK(std::fabs(double(weightOf(uint32_t(distance))) * 0x1p-40 - exact) <= exact * 0x1p-28 + 0x1p-40);
  }
  CHECK(weightOf(0xffffffffu) == 0);
}

TEST_CASE("fixed_math: weights are equal on every target") {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < 20000; ++i)
    hash = hash * 31 + weightOf(i * 100003u);
  CHECK(hash == 7662495959325594845u);
}

TEST_CASE("fixed_math: distances saturate") {
  CHECK(distanceBelow(1.0f, 0.5f) == 1u << 25);
  CHECK(distanceBelow(3.0f, 3.0f) == 0);
  CHECK(distanceBelow(100.0f, 0.0f) == 0xffffffffu);
  CHECK(distanceBelow(1.0f, -static_cast<float>(SINTER_INFINITY)) == 0xffffffffu);
  CHECK(distanceBelow(3e38f, -3e38f) == 0xffffffffu);
}

TEST_CASE("fixed_math: logarithms") {
  for (const float x : {1.0f, 0.999999f, 0.5f, 0.3f, 1e-5f, 1e-38f, 1e-41f})
    CHECK(std::fabs(double(minusLn(x)) * 0x1p-26 + std::log(double(x))) <= 0x1p-20);
  for (uint64_t x = 1; x < uint64_t(1) << 62; x = x * 5 + 3)
    CHECK(std::fabs(double(lnFixed(x, 40)) * 0x1p-26 - std::log(double(x) * 0x1p-40)) <= 0x1p-20);
}

TEST_CASE("fixed_math: shares are rounded up, products keep all bits") {
  CHECK(multiplyHigh(0xffffffffffffffffu, 0xffffffffffffffffu) == 0xfffffffffffffffeu);
  CHECK(multiplyHigh(uint64_t(1) << 63, 6) == 3);
  CHECK(shareOf(0.5f, 6) == 3);
  CHECK(shareOf(0.5f, 7) == 4);
  CHECK(shareOf(1e-30f, 7) == 1);
  CHECK(shareOf(1.0f, 7) == 7);
}
