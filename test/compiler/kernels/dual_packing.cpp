// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words for dual multiply-adds, on plain numbers.
#include "kernels/dual/support/dual_packing.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("steps of a pixel: rows of taps, channels filled up, four of them crossed") {
  // Two channels of 1 x 2 taps: a row has two steps of two elements each.
  DualSteps plain{1, 2, 2, 2, false};
  CHECK(plain.steps() == 2);
  // [channel][tap]: channel 0 and 1 of the first tap, then of the second.
  CHECK(plain.weightAt(0) == 0);
  CHECK(plain.weightAt(1) == 2);
  CHECK(plain.weightAt(2) == 1);
  CHECK(plain.weightAt(3) == 3);
  // Three channels filled up to four, crossed: 0, 2, 1, none.
  DualSteps crossed{1, 1, 3, 4, true};
  CHECK(crossed.weightAt(0) == 0);
  CHECK(crossed.weightAt(1) == 2);
  CHECK(crossed.weightAt(2) == 1);
  CHECK(crossed.weightAt(3) == -1);
}

TEST_CASE("filters in pairs: 256 w1 + w0, biases before, channels behind") {
  DualFilters filters;
  filters.each = {{3, 0, false, true}, {5, 0, false, true}};
  const int8_t weights[] = {1, 2, 3, 4}; // of two channels each
  DualWords words = packDualPairs(filters, {1, 1, 2, 2, false}, 1, weights);
  CHECK(words.groups == 1);
  CHECK(words.proved == 0);
  const int32_t low = 256 * 3 + 1, high = 256 * 4 + 2;
  CHECK(words.words == std::vector<int32_t>{3, 3 + 256 * 5, low | high << 16, 1 << 16});
}

TEST_CASE("-128 has no partner that is negative") {
  DualFilters filters;
  filters.each.resize(2);
  const int8_t weights[] = {-1, -1, -128, -128};
  // Neither order fits: -128 * 256 - 1 needs 17 bits.
  const int8_t both[] = {-128, -1, -1, -128};
  CHECK(packDualPairs(filters, {1, 1, 2, 2, false}, 1, weights).groups == 1);
  CHECK(packDualPairs(filters, {1, 1, 2, 2, false}, 1, both).groups == 2);
}

TEST_CASE("factors that are proved make proved groups, which come first") {
  DualFilters filters;
  filters.areRescaled = true;
  filters.each = {{0, 7, false, true}, {0, 8, true, true}};
  const int8_t weights[] = {1, 1, 2, 2};
  DualWords words = packDualPairs(filters, {1, 1, 2, 2, false}, 2, weights);
  CHECK(words.groups == 1);
  CHECK(words.proved == 0); // they share a group
  filters.each[0].isProved = true;
  CHECK(packDualPairs(filters, {1, 1, 2, 2, false}, 2, weights).proved == 1);
}

TEST_CASE("Winograd: filters of ones begin with 2 * 2, and biases are four times as large") {
  DualFilters filters;
  filters.each = {{5, 0, false, true}};
  DualWords words = packDualWinograd(filters, 4, std::vector<int8_t>(4 * 9, 1));
  CHECK(words.groups == 1);
  CHECK(words.words[0] == 20);
  CHECK(words.words[1] == 0); // no filter
  CHECK(words.words[4] == (4 | 4 << 16));
}

TEST_CASE("planes: neighbours of a row's three taps") {
  DualFilters filters;
  filters.each = {{9, 0, false, true}};
  const int8_t weights[] = {1, 2, 3};
  CHECK(packDualPlanes(filters, 1, weights).words == std::vector<int32_t>{9, 0, 1 | 2 << 16, 2 | 3 << 16});
}

TEST_CASE("filters survive as a table") {
  DualFilters filters;
  filters.each = {{-3, 17, true, false}, {int64_t(1) << 33, 0, false, true}};
  DualFilters again = DualFilters::ofTable(filters.table(), true);
  CHECK(again.areRescaled);
  CHECK(again.each[0].bias == -3);
  CHECK(again.each[0].factor == 17);
  CHECK(again.each[0].isProved);
  CHECK_FALSE(again.each[0].mayBeSecond);
  CHECK(again.each[1].bias == 0); // modulo 2^32, as sums are
}
