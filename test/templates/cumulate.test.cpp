// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums along any axis, both ways; determinants against known ones.
#include "templates/cumulate.h"
#include "templates/determinant.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("running sums and products") {
  const int32_t in[6] = {1, 2, 3, 4, 5, 6};
  int32_t out[6];
  const View<const int32_t, 2> x{in, {2, 3}, {3, 1}};
  const View<int32_t, 2> y{out, {2, 3}, {3, 1}};
  int64_t axis = 1;
  const auto expect = [&](CumulateParams params, int64_t a, int32_t e0, int32_t e1, int32_t e2, int32_t e3, int32_t e4,
                          int32_t e5) {
    axis = a;
    CHECK(cumulate(params, x, View<const int64_t, 0>{&axis}, y) == 0);
    const int32_t expected[6] = {e0, e1, e2, e3, e4, e5};
    for (int i = 0; i < 6; ++i)
      CHECK(out[i] == expected[i]);
  };
  expect({false, false, false}, 1, 1, 3, 6, 4, 9, 15);
  expect({false, true, false}, -1, 0, 1, 3, 0, 4, 9);
  expect({false, false, true}, 0, 5, 7, 9, 4, 5, 6);
  expect({true, false, false}, 1, 1, 2, 6, 4, 20, 120);
  expect({true, true, true}, 1, 6, 3, 1, 30, 6, 1);
  axis = 2;
  CHECK(cumulate(CumulateParams{}, x, View<const int64_t, 0>{&axis}, y) == 5);
}

TEST_CASE("determinants") {
  // A row swap is needed in the first; the second is singular.
  const float in[18] = {0, 2, 1, 1, 0, 0, 3, 1, 1, 1, 2, 3, 2, 4, 6, 0, 1, 1};
  float out[2];
  float work[9];
  determinant(View<const float, 3>{in, {2, 3, 3}, {9, 3, 1}}, View<float, 1>{out, {2}, {1}},
              View<float, 2>{work, {3, 3}, {3, 1}});
  CHECK(out[0] == doctest::Approx(-1.0f));
  CHECK(out[1] == 0.0f);
}
