// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/example/matvec.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("rows, columns and outputs may be apart") {
  const int32_t a[] = {1, 2, 3, 99, 4, 5, 6, 99}, b[] = {1, 99, 10, 99, 100, 99};
  int32_t c[] = {0, -1, 0, -1};
  matvec(a, 4, b, 2, c, 2, 2, 3, [](int32_t sum, int64_t i, int64_t j) { return sum + int32_t(1000 * i + j); });
  CHECK(c[0] == 321);
  CHECK(c[1] == -1);
  CHECK(c[2] == 1654);
  CHECK(c[3] == -1);
}

TEST_CASE("a sum of nothing is 0") {
  float c = 7;
  matvec<float>(nullptr, 0, static_cast<const float *>(nullptr), 0, &c, 1, 1, 0,
                [](float sum, int64_t, int64_t) { return sum; });
  CHECK(c == 0);
}
