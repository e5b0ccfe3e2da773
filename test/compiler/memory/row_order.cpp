// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far an output must lie below its input, on plain numbers: the formula for some kernels, and against a run of the
// rows one by one. Which kernels promise what: row_order.mlir.
#include "memory/row_order.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// Rows of the input that step `s` reads, when its first output row is `first`: nothing behind it is read before.
bool isSafe(const RowWalk &walk, int64_t distance) {
  for (int64_t made = walk.step; made < walk.rows; made += walk.step) { // rows of the output that are made
    int64_t writtenEnd = made * walk.rowBytes - distance;               // as an offset into the input
    int64_t nextRead = std::max<int64_t>(made * walk.stride - walk.pad, 0) * walk.inRowBytes;
    if (made * walk.stride - walk.pad < walk.inRows && writtenEnd > nextRead)
      return false;
  }
  return true;
}

RowWalk rows(int64_t count, int64_t rowBytes, int64_t inRows, int64_t inRowBytes) {
  RowWalk walk;
  walk.rows = count;
  walk.rowBytes = rowBytes;
  walk.inRows = inRows;
  walk.inRowBytes = inRowBytes;
  return walk;
}

} // namespace

TEST_CASE("pixels of as many bytes: over each other") { CHECK(distanceOf(rows(12, 16, 12, 16)) == 0); }

TEST_CASE("pixels of twice the bytes: below by what is made more") {
  // Before the last pixel 11 are made, 352 bytes, and 11 are read, 176 bytes.
  CHECK(distanceOf(rows(12, 32, 12, 16)) == 11 * 32 - 11 * 16);
}

TEST_CASE("pixels of half the bytes: above, as far as the first pixel allows") {
  CHECK(distanceOf(rows(12, 8, 12, 16)) == 8 - 16);
}

TEST_CASE("three rows, padded: the rows that are held are free") {
  RowWalk walk = rows(6, 64, 6, 64);
  walk.extent = 3;
  walk.pad = 1;
  CHECK(distanceOf(walk) == -64); // row 0 is made of rows 0 and 1, which scratch holds: 128 bytes are free for its 64
  walk.order = Order::Rows;       // nothing is held: behind row 0, row 0 is still needed
  CHECK(distanceOf(walk) == 64);
}

TEST_CASE("stride two: the input goes away twice as fast") {
  RowWalk walk = rows(4, 64, 8, 64);
  walk.extent = 2;
  walk.stride = 2;
  CHECK(distanceOf(walk) == -64);
  walk.order = Order::Rows;
  CHECK(distanceOf(walk) == 64 - 2 * 64);
}

TEST_CASE("steps that write while they read: what the step began with is needed to its end") {
  RowWalk walk = rows(8, 16, 8, 16);
  walk.order = Order::Windows;
  walk.step = 2;
  CHECK(distanceOf(walk) == 2 * 16); // two rows are made while the first of them is needed
}

TEST_CASE("one row: nothing is read after it") {
  RowWalk walk = rows(1, 64, 1, 32);
  CHECK(distanceOf(walk) == -32);
  walk.order = Order::Windows;
  CHECK(distanceOf(walk) == 64);
}

TEST_CASE("never further than the output is long, however many rows") {
  CHECK(distanceOf(rows(mostRows + 1, 2, mostRows + 1, 1)) == (mostRows + 1) * 2);
}

TEST_CASE("rows read before they are written, at the distance; one byte nearer they are not") {
  for (int64_t rowBytes : {16, 24, 64})
    for (int64_t inRowBytes : {16, 40, 64})
      for (int64_t stride : {1, 2})
        for (int64_t pad : {0, 1, 2}) {
          RowWalk walk = rows(7, rowBytes, 7 * stride, inRowBytes);
          walk.order = Order::Rows;
          walk.stride = stride;
          walk.extent = 3;
          walk.pad = pad;
          CAPTURE(rowBytes);
          CAPTURE(inRowBytes);
          CAPTURE(stride);
          CAPTURE(pad);
          CHECK(isSafe(walk, distanceOf(walk)));
          CHECK_FALSE(isSafe(walk, distanceOf(walk) - 1));
        }
}
