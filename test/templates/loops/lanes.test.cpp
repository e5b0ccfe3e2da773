// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each element of a range once and in order, and few of them one by one.
#include "templates/loops/lanes.h"

#include <doctest/doctest.h>
#include <initializer_list>

namespace {
struct Walk {
  int64_t next, singles = 0;
};
template <class E>
Walk walk(int64_t first, int64_t end) {
  Walk w{first};
  sinter::forLanes<E>(first, end, [&](auto tag, int64_t i) {
    constexpr int lanes = sinter::kLanesOf<typename decltype(tag)::Type>;
    CHECK(i == w.next);
    w.next = i + lanes;
    w.singles += lanes == 1;
  });
  return w;
}
template <class E>
void everyLength() {
  for (int64_t first : {0, 3})
    for (int64_t n = 0; n <= 3 * sinter::kLanes<E> + 5; ++n) {
      const Walk w = walk<E>(first, first + n);
      CHECK(w.next == first + n);
      if (sinter::kLanes<E> > 1)
        CHECK(w.singles == (sinter::kLanes<E> < 4 ? n % sinter::kLanes<E> : n % 4));
    }
}
} // namespace

TEST_CASE("each element once; with vectors at most three by themselves") {
  everyLength<float>();
  everyLength<double>();
  everyLength<int8_t>();
  everyLength<int64_t>();
}

TEST_CASE("an empty range, and one that ends before it begins, call nothing") {
  CHECK(walk<float>(5, 5).next == 5);
  CHECK(walk<float>(5, 2).next == 5);
}
