// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a window move up, for each batch and channel block, however far; what is behind the window stays.
#include "templates/maps/slide_rows.h"

#include <doctest/doctest.h>
#include <numeric>
#include <vector>

using namespace sinter;

TEST_CASE("rows that stay move to the front of the window") {
  constexpr int64_t blocks = 3, rows = 5, row = 8;
  for (int64_t shift = 0; shift <= rows; ++shift)
    for (int64_t keep = 0; shift + keep <= rows; ++keep) {
      std::vector<int16_t> memory(blocks * rows * row + 1);
      std::iota(memory.begin(), memory.end(), int16_t(0));
      const std::vector<int16_t> before = memory;
      slideRows(SlideRowsParams{2}, shift, keep,
                View<int16_t, 5>{memory.data(), {1, blocks, rows, 2, 4}, {blocks * rows * row, rows * row, row, 4, 1}});
      for (int64_t b = 0; b < blocks; ++b)
        for (int64_t i = 0; i < keep * row; ++i)
          CHECK(memory[size_t(b * rows * row + i)] == before[size_t((b * rows + shift) * row + i)]);
      CHECK(memory.back() == before.back());
    }
}
