// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// copy_view.h: each element comes to its place, and no other changes, whatever dims are dense, have size 1 or gaps.
#include "templates/loops/copy_view.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// Dims [a, b, c, d] of a source and a target whose rows, planes and single elements lie `gaps` apart, or not.
void checkCopy(int64_t a, int64_t b, int64_t c, int64_t d, int fromGaps, int toGaps) {
  const int64_t sizes[4] = {a, b, c, d};
  static float from[4096], to[4096], want[4096];
  int64_t in[4], out[4];
  auto lay = [&](int64_t(&strides)[4], int gaps) {
    int64_t step = 1;
    for (int k = 3; k >= 0; --k) {
      step += (gaps >> k) & 1 ? 1 : 0;
      strides[k] = step;
      step *= sizes[k];
    }
  };
  lay(in, fromGaps);
  lay(out, toGaps);
  for (int i = 0; i < 4096; ++i) {
    from[i] = float(i);
    to[i] = want[i] = -1;
  }
  for (int64_t i = 0; i < a * b * c * d; ++i) {
    const int64_t at[4] = {i / (b * c * d), i / (c * d) % b, i / d % c, i % d};
    want[placeOf(at, out)] = from[placeOf(at, in)];
  }
  copyView(View<const float, 4>{from, {a, b, c, d}, {in[0], in[1], in[2], in[3]}},
           View<float, 4>{to, {a, b, c, d}, {out[0], out[1], out[2], out[3]}});
  int wrong = 0;
  for (int i = 0; i < 4096; ++i)
    wrong += to[i] != want[i];
  CHECK_MESSAGE(wrong == 0, a, "x", b, "x", c, "x", d, ", gaps ", fromGaps, " ", toGaps);
}

} // namespace

TEST_CASE("copies of tensors with and without gaps") {
  const int64_t shapes[][4] = {{2, 3, 4, 5}, {2, 3, 4, 1}, {3, 1, 4, 1}, {1, 1, 1, 1}, {2, 0, 4, 1}, {4, 3, 1, 2}};
  for (const auto &s : shapes)
    for (int from = 0; from < 16; ++from)
      for (int to = 0; to < 16; ++to)
        checkCopy(s[0], s[1], s[2], s[3], from, to);
}

TEST_CASE("a view of the same elements is left alone") {
  float x[4] = {1, 2, 3, 4};
  copyView(View<const float, 1>{x, {4}, {1}}, View<float, 1>{x, {4}, {1}});
  CHECK(x[3] == 4);
}
