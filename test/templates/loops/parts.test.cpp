// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parts.h: parts are in order and cover a row once, wherever it is divided; each element of a part belongs to one step.
#include "templates/loops/parts.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;

namespace {

std::vector<int64_t> ends(int64_t first, int64_t last, int64_t a, int64_t b, int64_t c) {
  std::vector<int64_t> found;
  int64_t next = first;
  for (const Part &part : partsOf(first, last, a, b, c)) {
    CHECK(part.first == next);
    CHECK(part.last > part.first);
    next = part.last;
    found.push_back(next);
  }
  CHECK((next == last || first >= last));
  return found;
}

template <class T>
void checkSteps(int64_t first, int64_t last) {
  int64_t next = first;
  int widest = kLanes<T>;
  mapPart<T>(first, last, [&](auto tag, int64_t i) {
    using V = typename decltype(tag)::Type;
    CHECK(i == next);
    CHECK(kLanesOf<V> <= widest);
    widest = kLanesOf<V>;
    next += kLanesOf<V>;
  });
  CHECK(next == (first < last ? last : first));
}

} // namespace

TEST_CASE("a row is divided at places of any order, within it or not") {
  CHECK(ends(0, 10, 3, 7, 5) == std::vector<int64_t>{3, 5, 7, 10});
  CHECK(ends(0, 10, 7, 7, -4) == std::vector<int64_t>{7, 10});
  CHECK(ends(0, 10, 10, 12, 0) == std::vector<int64_t>{10});
  CHECK(ends(4, 6, 5, 1, 9) == std::vector<int64_t>{5, 6});
  CHECK(ends(4, 4, 5, 1, 9).empty());
}

TEST_CASE("places are the first ones, also where sums of 64 bits would wrap around") {
  for (int64_t from : {-3, 0, 4})
    for (int64_t to : {-9, -3, 0, 2, 4, 30}) {
      int64_t at = 0, behind = 0;
      while (from + at < to)
        ++at;
      while (from + behind <= to)
        ++behind;
      CHECK(placeOf(from, to) == at);
      CHECK(placeBehind(from, to) == behind);
    }
  CHECK(placeOf(-5, INT64_MAX) == INT64_MAX);
  CHECK(placeBehind(-5, INT64_MAX) == INT64_MAX);
  CHECK(placeBehind(0, INT64_MAX) == INT64_MAX);
  CHECK(placeOf(5, INT64_MIN) == 0);
  CHECK(placeBehind(5, INT64_MIN) == 0);
}

TEST_CASE("each element of a part belongs to one step, and steps only get narrower") {
  for (int64_t first : {0, 3})
    for (int64_t n : {0, 1, 2, 3, 5, 8, 15, 31, 63, 64, 127, 200}) {
      checkSteps<float>(first, first + n);
      checkSteps<double>(first, first + n);
      checkSteps<int8_t>(first, first + n);
      checkSteps<int16_t>(first, first + n);
    }
}
