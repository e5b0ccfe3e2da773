// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every part of a halo gets the value, nothing else does; bytes, floats and halves, dense rows and elements apart.
#include "templates/maps/fill_halo.h"
#include "runtime-lite/half.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sinter;

TEST_CASE("a halo is filled around planes of rows") {
  constexpr int64_t planes = 3, rows = 4, width = 7; // of each row the second to fifth element stay
  std::vector<int8_t> map(planes * rows * width, 1);
  fillHalo(int8_t(-5), View<int8_t, 1>{map.data(), {1}, {1}},
           View<int8_t, 3>{map.data() + 5, {planes, rows - 1, 3}, {rows * width, width, 1}},
           View<int8_t, 2>{map.data() + 3 * width + 5, {planes - 1, 3}, {rows * width, 1}},
           View<int8_t, 1>{map.data() + map.size() - 2, {2}, {1}});
  for (size_t i = 0; i < map.size(); ++i)
    CHECK(int(map[i]) == (i % width >= 1 && i % width <= 4 ? 1 : -5));
}

TEST_CASE("elements apart from each other, of other types than the value") {
  std::vector<float> floats(20, 1);
  fillHalo(-0.5f, View<float, 2>{&floats[2], {2, 3}, {9, 2}});
  for (int i = 0; i < 20; ++i)
    CHECK(floats[size_t(i)] == (i == 2 || i == 4 || i == 6 || i == 11 || i == 13 || i == 15 ? -0.5f : 1));
  f16 halves[3] = {};
  fillHalo(-0.5f, View<f16, 1>{halves + 1, {1}, {1}});
  CHECK(halves[0].bits == 0);
  CHECK(halves[1].bits == 0xb800);
  CHECK(halves[2].bits == 0);
}
