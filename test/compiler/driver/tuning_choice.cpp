// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tuning_choice.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("an option has to be faster by a margin, and to have been measured") {
  CHECK(bestOption({"", {"a", "b"}, {1e-3, 0.98e-3}}) == 0);
  CHECK(bestOption({"", {"a", "b"}, {1e-3, 0.95e-3}}) == 1);
  CHECK(bestOption({"", {"a", "b"}, {1e-3, -1}}) == 0);
  CHECK(bestOption({"", {"a", "b", "c"}, {1e-3, 0.9e-3, 0.8e-3}}) == 2);
  CHECK(bestOption({"", {"a", "b"}, {300e-9, 250e-9}}) == 0); // below what clocks tell
}

TEST_CASE("the half that saves most is tried next") {
  TimedSite site{"", {"a", "b"}, {4e-3, 3e-3}}, larger{"", {"a", "b"}, {9e-3, 3e-3}};
  CHECK(boldestHalf({site, larger, site}, {1, 1, 0}) == std::vector<size_t>{0, 1, 0});
  CHECK(boldestHalf({site}, {1}).empty());
}
