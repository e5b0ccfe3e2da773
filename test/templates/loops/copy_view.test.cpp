// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// copy_view.h: views with and without gaps, turned, with dims of one element and of none; nothing between is written.
#include "templates/loops/copy_view.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter;

namespace {

void checkCopy(const int64_t (&sizes)[3], const int64_t (&from)[3], const int64_t (&to)[3]) {
  std::vector<int> source(400), copy(400, -1), want(400, -1);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = int(i);
  for (int64_t i = 0; i < sizes[0]; ++i)
    for (int64_t j = 0; j < sizes[1]; ++j)
      for (int64_t k = 0; k < sizes[2]; ++k)
        want[size_t(i * to[0] + j * to[1] + k * to[2])] = source[size_t(i * from[0] + j * from[1] + k * from[2])];
  const View<const int, 3> in{source.data(), {sizes[0], sizes[1], sizes[2]}, {from[0], from[1], from[2]}};
  const View<int, 3> out{copy.data(), {sizes[0], sizes[1], sizes[2]}, {to[0], to[1], to[2]}};
  copyView(in, out);
  CHECK(copy == want);
}

} // namespace

TEST_CASE("copies of views") {
  checkCopy({4, 5, 6}, {30, 6, 1}, {30, 6, 1});
  checkCopy({4, 5, 6}, {40, 6, 1}, {30, 6, 1});
  checkCopy({4, 5, 6}, {30, 6, 1}, {60, 8, 1});
  checkCopy({4, 5, 6}, {1, 4, 20}, {30, 6, 1});
  checkCopy({4, 5, 6}, {30, 6, 1}, {60, 12, 2});
  checkCopy({4, 5, 1}, {5, 1, 1}, {5, 1, 1});
  checkCopy({4, 5, 1}, {1, 4, 7}, {5, 1, 1});
  checkCopy({1, 5, 6}, {3, 6, 1}, {300, 6, 1});
  checkCopy({1, 1, 1}, {2, 3, 4}, {5, 6, 7});
  checkCopy({4, 0, 6}, {30, 6, 1}, {30, 6, 1});
  checkCopy({4, 5, 0}, {5, 1, 0}, {0, 0, 1});
  checkCopy({0, 5, 6}, {30, 6, 1}, {30, 6, 1});
}
