// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on dual 16-bit multiply-adds, here in their plain form, against the definition bit for bit.
#include "dual_cases.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace sinter;

TEST_CASE("dual convolutions are their definition") {
  test::dualConvCases([](const char *name, test::Outcome outcome, int64_t) {
    CAPTURE(name);
    CHECK(outcome.wrong == 0);
  });
}

TEST_CASE("row tiles are the rows of whole maps") {
  const auto each = [](auto shape) {
    using S = decltype(shape);
    CHECK(test::wrongInRowTiles<S, int8_t, int8_t, test::Rule::Proved, 1>() == 0);
    CHECK(test::wrongInRowTiles<S, int8_t, int8_t, test::Rule::Proved, 2>() == 0);
    CHECK(test::wrongInRowTiles<S, uint8_t, uint8_t, test::Rule::Defined, 3>() == 0);
  };
  each(test::QuantShape<64, 5, 5, 64, 1, 1, 1, 0, 0, 5, 5>{});
  each(test::QuantShape<1, 49, 10, 16, 10, 4, 2, 4, 1, 25, 5>{});
  each(test::QuantShape<32, 7, 5, 8, 3, 3, 1, 1, 1, 7, 5>{});
  each(test::QuantShape<8, 25, 5, 8, 3, 3, 1, 1, 1, 25, 5, 8>{});
  each(test::QuantShape<4, 9, 48, 4, 3, 3, 2, 0, 0, 4, 24, 4>{});
}

TEST_CASE("dual matrix products are their definition") {
  test::dualMatmulCases([](const char *name, test::Outcome outcome, int64_t) {
    CAPTURE(name);
    CHECK(outcome.wrong == 0);
  });
}

TEST_CASE("a pair of filters in one word") {
  for (int32_t first : {-128, -1, 0, 127})
    for (int32_t second : {-127, -1, 0, 127}) {
      const int32_t pair = halves(256 * second + first, 256 * -second - first);
      for (int32_t x : {-32768 / 256, -1, 0, 255}) {
        const int32_t both = dualMac(pair, halves(x, 0), 256 * 11 + 7),
                      sum = dualMac(firstOfPair(pair), halves(x, 0), 7);
        CHECK(sum == first * x + 7);
        CHECK(secondOfPair(both, sum) == second * x + 11);
      }
    }
}

TEST_CASE("rescale by definition: halves to even, limits, sums beyond any result") {
  const Rescale<-128, 127> rescale{3};
  const int32_t half = test::definedWord(0.5f), huge = test::definedWord(3e38f);
  CHECK(rescale.defined(1, half) == 3);
  CHECK(rescale.defined(3, half) == 5);
  CHECK(rescale.defined(-1, half) == 3);
  CHECK(rescale.defined(-3, half) == 1);
  CHECK(rescale.defined(2147483647, huge) == 127);
  CHECK(rescale.defined(-2147483647 - 1, huge) == -128);
  CHECK(rescale.proved(3, 1 << 30) == 4); // halves up
  CHECK(rescale(3, 1 << 30) == 4);        // a word says itself which it is
  CHECK(rescale(3, half) == 5);
  CHECK(rescale.proved(-2147483647 - 1, 1 << 30) == -128);
}
