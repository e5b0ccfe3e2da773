// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map.h: each element once and in order, whatever the number; few elements whose number is known by vectors that fit.
#include "templates/loops/map.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;

namespace {

/// The widths of the steps, having tested that one begins where the other ends.
template <class T, class Count>
std::vector<int> steps(Count count, int64_t n) {
  std::vector<int> widths;
  int64_t next = 0;
  map<T>(count, [&](auto tag, int64_t i) {
    using V = typename decltype(tag)::Type;
    CHECK(i == next);
    widths.push_back(kLanesOf<V>);
    next += kLanesOf<V>;
  });
  CHECK(next == n);
  return widths;
}

template <class T, int64_t... kCounts>
void checkFixed() {
  (steps<T>(Fixed<kCounts>{}, kCounts), ...);
}

} // namespace

TEST_CASE("each element belongs to one step") {
  for (int64_t n : {0, 1, 7, 15, 16, 17, 40, 100}) {
    steps<float>(n, n);
    steps<double>(n, n);
    steps<int8_t>(n, n);
  }
  checkFixed<float, 0, 1, 3, 4, 5, 7, 8, 12, 15, 16, 24, 31, 37, 63>();
  checkFixed<double, 0, 1, 2, 5, 7, 9, 12, 15>();
  checkFixed<int8_t, 0, 1, 17, 33, 65>();
}

TEST_CASE("a rest of known size goes by narrower vectors") {
  constexpr int lanes = kLanes<float>;
  if constexpr (lanes >= 8) {
    CHECK(steps<float>(Fixed<lanes / 2>{}, lanes / 2) == std::vector{lanes / 2});
    CHECK(steps<float>(Fixed<lanes + 5>{}, lanes + 5) == std::vector{lanes, 4, 1});
    CHECK(steps<float>(Fixed<lanes - 1>{}, lanes - 1).size() == (lanes == 16 ? 5 : 4));
    CHECK(steps<int8_t>(Fixed<4 * lanes + 17>{}, 4 * lanes + 17) == std::vector{4 * lanes, 16, 1});
    CHECK(steps<int16_t>(Fixed<13>{}, 13).size() == 3);
  }
}
