// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// turn.h: every element goes to its place and none elsewhere, over sizes around those of vectors and elements of 1 to 8
// bytes.
#include "templates/maps/turn.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;

namespace {

template <class T>
void check(int64_t count, int64_t lines, int64_t gap) {
  const int64_t fromStep = count + gap, toStep = lines + gap;
  std::vector<T> from(size_t(lines * fromStep)), to(size_t(count * toStep + gap), T(77));
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = T(i * 37 % 101);
  turn(from.data(), fromStep, to.data(), toStep, count, lines);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < toStep; ++j) {
      const T want = j < lines ? from[size_t(j * fromStep + i)] : T(77);
      REQUIRE(to[size_t(i * toStep + j)] == want);
    }
}

} // namespace

TEST_CASE_TEMPLATE("turned, of all sizes", T, uint8_t, int16_t, float, double) {
  for (const int64_t count : {1, 3, 4, 5, 7, 8, 9, 12, 16, 17, 33, 50})
    for (const int64_t lines : {1, 2, 4, 5, 6, 8, 11, 15, 16, 19, 31, 70})
      for (const int64_t gap : {0, 3})
        check<T>(count, lines, gap);
}
