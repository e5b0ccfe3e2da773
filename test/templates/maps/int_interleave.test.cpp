// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// interleave.h: every byte at its place, nothing behind the last pixel.
#include "templates/maps/interleave.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;

template <int N>
static void check(int64_t count) {
  const int64_t plane = count + 3;
  std::vector<int8_t> in(size_t(plane * N)), out(size_t(count * N + 5), int8_t(-7));
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int8_t(i * 37 + 11);
  interleave<N>(in.data(), plane, out.data(), count);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t p = 0; p < N; ++p)
      REQUIRE(out[size_t(i * N + p)] == in[size_t(p * plane + i)]);
  for (size_t i = size_t(count * N); i < out.size(); ++i)
    REQUIRE(out[i] == -7);
}

TEST_CASE("interleave") {
  for (const int64_t count : {0, 1, 15, 16, 17, 96, 100}) {
    check<2>(count);
    check<3>(count);
    check<4>(count);
  }
}
