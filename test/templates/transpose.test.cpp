// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose.h: every permutation of four dims, odd sizes, strides of 0 and below.
#include "templates/transpose.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("permute in every order") {
  const int64_t shapes[][4] = {{2, 3, 4, 5},   {1, 17, 1, 33}, {3, 1, 16, 16},
                               {2, 18, 19, 1}, {1, 1, 1, 1},   {2, 0, 3, 1}};
  for (const auto &shape : shapes) {
    int order[4] = {0, 1, 2, 3};
    do {
      const int64_t inStride[4] = {shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1};
      int64_t sizes[4], strides[4];
      for (int d = 0; d < 4; ++d) {
        sizes[d] = shape[order[d]];
        strides[d] = inStride[order[d]];
      }
      const auto n = size_t(shape[0] * shape[1] * shape[2] * shape[3]);
      std::vector<uint32_t> in(n), out(n + 1, 77u);
      for (size_t i = 0; i < n; ++i)
        in[i] = uint32_t(i);
      permute(in.data(), out.data(), sizes, strides);
      size_t at = 0;
      for (int64_t a = 0; a < sizes[0]; ++a)
        for (int64_t b = 0; b < sizes[1]; ++b)
          for (int64_t c = 0; c < sizes[2]; ++c)
            for (int64_t d = 0; d < sizes[3]; ++d)
              REQUIRE(out[at++] == uint32_t(a * strides[0] + b * strides[1] + c * strides[2] + d * strides[3]));
      CHECK(out[n] == 77u);
    } while (std::next_permutation(order, order + 4));
  }
}

TEST_CASE("permute broadcasts and reverses") {
  const uint8_t in[3] = {1, 2, 3};
  uint8_t out[6];
  permute(in + 2, &out[0], {2, 3}, {0, -1});
  CHECK(std::vector<uint8_t>(out, out + 6) == std::vector<uint8_t>{3, 2, 1, 3, 2, 1});
}

TEST_CASE("transposeMatrix with pitches") {
  for (int64_t rows : {1, 7, 16, 40})
    for (int64_t columns : {1, 15, 32, 33}) {
      std::vector<uint16_t> in(size_t(rows * (columns + 2))), out(size_t(columns * (rows + 1)), 9);
      for (size_t i = 0; i < in.size(); ++i)
        in[i] = uint16_t(i * 31);
      transposeMatrix(in.data(), columns + 2, out.data(), rows + 1, rows, columns);
      for (int64_t j = 0; j < columns; ++j) {
        for (int64_t i = 0; i < rows; ++i)
          REQUIRE(out[size_t(j * (rows + 1) + i)] == in[size_t(i * (columns + 2) + j)]);
        REQUIRE(out[size_t(j * (rows + 1) + rows)] == 9);
      }
    }
}
