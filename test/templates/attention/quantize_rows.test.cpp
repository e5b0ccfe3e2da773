// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantize_rows.h: each number within half a step, the greatest exactly; rows of zeros, and of what is no number.
#include "templates/attention/quantize_rows.h"
#include "ulp.h"
#include "views.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

float scaleOf(const int8_t *row, int64_t n) {
  float scale = -1;
  readScales(row, 0, n, 1, &scale);
  return scale;
}

} // namespace

TEST_CASE("rows become bytes with a scale") {
  constexpr int64_t n = 37, rows = 6;
  test::Random random(5);
  auto x = random.vector(size_t(rows * n));
  x[3] = 2.0f; // the greatest of the first row
  for (int64_t i = 0; i < n; ++i)
    x[size_t(n + i)] = 0.0f;
  std::vector<int8_t> bytes(size_t(rows * (n + kScaleBytes)), 77);
  quantizeRows(test::dense<const float>(x.data(), 1, 2, 3, n), test::dense(bytes.data(), 1, 2, 3, n + kScaleBytes));
  CHECK(bytes[3] == 127);
  for (int64_t row = 0; row < rows; ++row) {
    const int8_t *made = bytes.data() + row * (n + kScaleBytes);
    const float scale = scaleOf(made, n);
    CHECK((row == 1) == (scale == 0.0f));
    for (int64_t i = 0; i < n; ++i)
      CHECK(std::fabs(float(made[i]) * scale - x[size_t(row * n + i)]) <= 0.5001f * scale);
  }
}

TEST_CASE("a row with something that is no number or has no end gives none") {
  for (const float odd : {INFINITY, -INFINITY, NAN}) {
    float x[20] = {1, 2};
    x[17] = odd;
    int8_t bytes[24];
    quantizeRows(test::dense<const float>(x, 1, 1, 1, 20), test::dense(bytes, 1, 1, 1, 24));
    CHECK(bytes[0] * scaleOf(bytes, 20) != bytes[0] * scaleOf(bytes, 20));
  }
}
