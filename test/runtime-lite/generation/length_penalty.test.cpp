// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// length_penalty.h: against pow.
#include "runtime-lite/generation/length_penalty.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace sinter;

TEST_CASE("length_penalty: powers") {
  for (const int32_t n : {1, 2, 7, 100, 4096, 1000000})
    for (const float power : {0.0f, 1.0f, 2.0f, -1.0f, 0.6f, 1.7f, -0.3f, 9.5f, 16.0f}) {
      const double exact = std::pow(double(n), double(power));
      CHECK(std::fabs(powerOfLength(n, power) / exact - 1) <= 0x1p-18);
    }
  CHECK(powerOfLength(7, 2) == 49);
  CHECK(powerOfLength(8, -1) == 0.125);
}
