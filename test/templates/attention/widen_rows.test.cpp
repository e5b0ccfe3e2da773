// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widen_rows.h: what quantize_rows.h makes of rows, as numbers again; rows may lie apart.
#include "templates/attention/widen_rows.h"
#include "templates/attention/quantize_rows.h"
#include "ulp.h"
#include "views.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("rows of bytes become numbers") {
  constexpr int64_t n = 21, rows = 6;
  test::Random random(9);
  const auto x = random.vector(size_t(rows * n));
  std::vector<int8_t> bytes(size_t(rows * (n + kScaleBytes)));
  quantizeRows(test::dense<const float>(x.data(), 2, 3, n), test::dense(bytes.data(), 2, 3, n + kScaleBytes));
  std::vector<float> y(size_t(rows * n), 7.0f);
  // Rows of y lie in the other order of the first two dims.
  widenRows(test::dense<const int8_t>(bytes.data(), 2, 3, n + kScaleBytes),
            View<float, 3>{y.data(), {2, 3, n}, {n, 2 * n, 1}});
  for (int64_t a = 0; a < 2; ++a)
    for (int64_t b = 0; b < 3; ++b)
      for (int64_t i = 0; i < n; ++i) {
        const int8_t *row = bytes.data() + (a * 3 + b) * (n + kScaleBytes);
        float scale = 0.0f;
        readScales(row, 0, n, 1, &scale);
        CHECK(y[size_t((b * 2 + a) * n + i)] == float(row[i]) * scale);
      }
}
