// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How convolutions split output pixels into register tiles. Under conv.h and int_conv.h.
#pragma once

#include "templates/maps/rows.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// Runs tile(rows, h, w) over output rows firstRow .. lastRow - 1: along each row, or on over the ends of rows where
/// these are shorter than a tile or lie behind each other.
template <int R, int kTogether = 1, class Shape, class Tile>
SINTER_INLINE void pixelTiles(const Shape &s, int64_t firstRow, int64_t lastRow, bool flat, Tile tile) {
  const int64_t step = flat ? lastRow - firstRow : 1;
  for (int64_t h = firstRow; h < lastRow; h += step)
    rowTiles<R, kTogether>(step * s.outWidth, [&](int64_t rows, int64_t first) {
      tile(rows, h + first / s.outWidth, first % s.outWidth);
    });
}

/// Whether each row of outputs reads on behind what the row before it reads.
template <class Shape>
SINTER_INLINE constexpr bool isContiguous(const Shape &s) {
  if constexpr (kHasSpread<Shape>)
    return false;
  if constexpr (kHasSlices<Shape>)
    if (s.kernelD != 1 || s.padFront != 0 || s.strideD * s.in.slice != s.outHeight * s.strideH * s.in.row)
      return false;
  return s.kernelH * s.kernelW == 1 && s.padTop == 0 && s.padLeft == 0 &&
         s.strideH * s.in.row == s.outWidth * s.strideW * s.in.pixel;
}

} // namespace
} // namespace sinter
