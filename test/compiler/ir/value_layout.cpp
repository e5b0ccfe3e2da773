// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/value_layout.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("layouts are printed as they are read") {
  for (const char *text : {"", "?", "d0", "d0 d2 d3 d1", "d0 d1/8 d2 d3 d1%8", "^80", "d0 d1 ^80"})
    CHECK(ValueLayout::parse(text)->text() == text);
  for (const char *text : {"0", "d", "d0 d1/", "d1%0", "d1/8x", "d0,d1", "^80 d0", "d0 ^8"})
    CHECK_FALSE(ValueLayout::parse(text));
}

TEST_CASE("a dim is split in blocks, or moves to the end as one") {
  ValueLayout plain = ValueLayout::plain(4);
  CHECK(plain.text() == "d0 d1 d2 d3");
  CHECK(plain.blocked(1, 8, false).text() == "d0 d1/8 d2 d3 d1%8");
  CHECK(plain.blocked(1, 24, true).text() == "d0 d2 d3 d1");
  CHECK_FALSE(plain.blocked(4, 8, false).isKnown());
  CHECK_FALSE(plain.blocked(1, 8, false).blocked(1, 4, false).isKnown());
  CHECK_FALSE(ValueLayout().blocked(0, 8, false).isKnown());
}

TEST_CASE("bytes are flipped, and back") {
  ValueLayout plain = ValueLayout::plain(2), flipped = plain.flipped();
  CHECK(flipped.text() == "d0 d1 ^80");
  CHECK(flipped.hasFlippedBytes());
  CHECK(flipped.blocked(1, 8, false).text() == "d0 d1/8 d1%8 ^80");
  CHECK(flipped.flipped().text() == plain.text());
  CHECK(ValueLayout::plain(0).flipped().text() == "^80");
}

TEST_CASE("places in the value, filling aside") {
  using Places = std::vector<int64_t>;
  CHECK(ValueLayout::plain(0).placesIn({}, {}) == Places{0});
  CHECK(ValueLayout::parse("d1 d0")->placesIn({2, 3}, {3, 2}) == Places{0, 3, 1, 4, 2, 5});
  CHECK(ValueLayout::parse("d0/2 d0%2")->placesIn({3}, {2, 2}) == Places{0, 1, 2, -1});
  CHECK_FALSE(ValueLayout::plain(2).placesIn({2, 3}, {3, 2})); // cuts across
  CHECK_FALSE(ValueLayout::plain(1).placesIn({2, 3}, {2}));    // not all of it
  CHECK_FALSE(ValueLayout().placesIn({2}, {2}));
}
