// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lane_sums.h: lane i is the sum of vector i's lanes.
#include "templates/loops/lane_sums.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("each vector's lanes become one lane") {
  constexpr int lanes = kLanes<float>;
  using V = Vec<float, lanes>;
  V vectors[lanes];
  for (int i = 0; i < lanes; ++i) {
    float numbers[lanes];
    for (int j = 0; j < lanes; ++j)
      numbers[j] = float(100 * i + j);
    vectors[i] = load<V>(&numbers[0]);
  }
  float sums[lanes];
  store(&sums[0], laneSums(&vectors[0]));
  for (int i = 0; i < lanes; ++i)
    CHECK(sums[i] == float(lanes * 100 * i + lanes * (lanes - 1) / 2));
}
