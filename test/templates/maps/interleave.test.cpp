// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// interleave.h: every element at its place, nothing behind the last, in both directions.
#include "templates/maps/interleave.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;

namespace {

template <int N, class T>
void check(int64_t count) {
  CAPTURE(N);
  CAPTURE(count);
  const int64_t plane = count + 3;
  std::vector<T> in(size_t(plane * N)), out(size_t(count * N + 5), T(-7)), back(in.size(), T(-7));
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = T(i * 37 % 101 + 11);
  interleave<N>(in.data(), plane, out.data(), count);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t p = 0; p < N; ++p)
      REQUIRE(out[size_t(i * N + p)] == in[size_t(p * plane + i)]);
  for (size_t i = size_t(count * N); i < out.size(); ++i)
    REQUIRE(out[i] == T(-7));
  deinterleave<N>(out.data(), back.data(), plane, count);
  for (int64_t p = 0; p < N; ++p)
    for (int64_t i = 0; i < plane; ++i)
      REQUIRE(back[size_t(p * plane + i)] == (i < count ? in[size_t(p * plane + i)] : T(-7)));
}

} // namespace

TEST_CASE_TEMPLATE("interleaved and back, of all sizes", T, int8_t, int16_t, float, double) {
  for (const int64_t count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 31, 33, 96, 100}) {
    check<2, T>(count);
    check<3, T>(count);
    check<4, T>(count);
  }
}
