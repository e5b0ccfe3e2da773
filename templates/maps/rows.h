// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of maps and of windows, by which kernels go. A volume is a map with the rows of all its slices, one slice
// behind the other: row r of its output is row r % outHeight of slice r / outHeight, and row t of a window's taps is
// row t % kernelH of slice t / kernelH. So a kernel over rows takes volumes, too. And maps that are spread out, zeros
// between their elements, as a transposed convolution reads them: rows and columns between meet no taps.
#pragma once

#include "templates/maps/image.h"

namespace sinter {
namespace {

template <class Shape, class = void>
constexpr bool kHasSlices = false;
template <class Shape>
constexpr bool kHasSlices<Shape, decltype(void(Shape::outDepth))> = true;

/// Whether the input's neighbours stand spreadD, spreadH and spreadW places apart, with zeros between: SpreadShape.
template <class Shape, class = void>
constexpr bool kHasSpread = false;
template <class Shape>
constexpr bool kHasSpread<Shape, decltype(void(Shape::spreadW))> = true;
template <class Shape, class = void>
constexpr bool kHasPhase = false;
template <class Shape>
constexpr bool kHasPhase<Shape, decltype(void(Shape::phase))> = true;

template <class Shape>
SINTER_INLINE constexpr int64_t outputRows(const Shape &s) {
  if constexpr (kHasSlices<Shape>)
    return s.outDepth * s.outHeight;
  else
    return s.outHeight;
}
/// Rows of taps.
template <class Shape>
SINTER_INLINE constexpr int64_t tapRows(const Shape &s) {
  if constexpr (kHasSlices<Shape>)
    return s.kernelD * s.kernelH;
  else
    return s.kernelH;
}

/// The offset of an output row.
template <class Shape>
SINTER_INLINE int64_t rowOffset(const Shape &s, int64_t row) {
  if constexpr (kHasSlices<Shape>)
    return s.out.slice == s.outHeight * s.out.row ? row * s.out.row
                                                  : row / s.outHeight * s.out.slice + row % s.outHeight * s.out.row;
  else
    return row * s.out.row;
}
/// The offset of the input's row that the first row of taps of an output row meets, where nothing is padded.
template <class Shape>
SINTER_INLINE int64_t firstTapRow(const Shape &s, int64_t row) {
  if constexpr (kHasSlices<Shape>)
    return row / s.outHeight * s.strideD * s.in.slice + row % s.outHeight * s.strideH * s.in.row;
  else
    return row * s.strideH * s.in.row;
}
/// epilogue(v, n, c, h, w) of an output row, of volumes (v, n, c, d, h, w).
template <class Shape, class Epilogue, class V>
SINTER_INLINE auto atRow([[maybe_unused]] const Shape &s, Epilogue &epilogue, V v, int64_t n, int64_t c, int64_t row,
                         int64_t w) {
  if constexpr (kHasPhase<Shape>)
    w = s.phase + w * s.spreadW;
  if constexpr (kHasSlices<Shape>)
    return epilogue(v, n, c, row / s.outHeight, row % s.outHeight, w);
  else
    return epilogue(v, n, c, row, w);
}

/// Where the windows of an output row begin in the input: at row y of slice z, which may lie outside.
struct WindowStart {
  int64_t y, z;
};
template <class Shape>
SINTER_INLINE WindowStart windowStart(const Shape &s, int64_t row) {
  if constexpr (kHasSlices<Shape>)
    return {row % s.outHeight * s.strideH - s.padTop, row / s.outHeight * s.strideD - s.padFront};
  else
    return {row * s.strideH - s.padTop, 0};
}
/// Which of `size` elements stands at a position, where they stand `spread` apart; negative where none does.
SINTER_INLINE int64_t elementAt(int64_t position, int64_t spread, int64_t size) {
  return position >= 0 && position % spread == 0 && position / spread < size ? position / spread : -1;
}
/// The offset of the input's row that a row of taps meets; negative where it lies outside.
template <class Shape>
SINTER_INLINE int64_t metRow(const Shape &s, WindowStart start, int64_t tapRow) {
  int64_t spreadH = 1, spreadD = 1;
  if constexpr (kHasSpread<Shape>)
    spreadH = s.spreadH, spreadD = s.spreadD;
  if constexpr (kHasSlices<Shape>) {
    const int64_t y = elementAt(start.y + tapRow % s.kernelH * s.dilationH, spreadH, s.height),
                  z = elementAt(start.z + tapRow / s.kernelH * s.dilationD, spreadD, s.depth);
    return y >= 0 && z >= 0 ? z * s.in.slice + y * s.in.row : -1;
  } else {
    const int64_t y = elementAt(start.y + tapRow * s.dilationH, spreadH, s.height);
    return y >= 0 ? y * s.in.row : -1;
  }
}

/// Those columns of a map's outputs whose windows meet the same taps of an input that is spread out: w stands for
/// column phase + w * spreadW.
template <class Shape>
struct ColumnPhase : Shape {
  int64_t phase, outWidth;
  ImageLayout out;
  SINTER_INLINE_MEMBER constexpr ColumnPhase(const Shape &s, int64_t phase)
      : Shape(s), phase(phase), outWidth((s.outWidth - phase + s.spreadW - 1) / s.spreadW), out(s.out) {
    out.pixel *= s.spreadW;
  }
};
/// How many columns of the input tap kw lies behind w * strideW; false where all outputs of the phase meet a zero.
template <class Shape>
SINTER_INLINE bool tapColumn(const Shape &s, int64_t kw, int64_t &column) {
  column = kw * s.dilationW - s.padLeft;
  if constexpr (kHasPhase<Shape>) {
    column += s.phase;
    if (column % s.spreadW != 0)
      return false;
    column /= s.spreadW;
  }
  return true;
}

/// The taps first .. last - 1 of a window that starts at `start` lie in 0 .. size - 1.
struct Taps {
  int64_t first, last;
};
SINTER_INLINE Taps tapsInside(int64_t start, int64_t taps, int64_t dilation, int64_t size) {
  const int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
  const int64_t room = size - start; // taps below this distance are inside
  const int64_t end = room <= 0 ? 0 : (room + dilation - 1) / dilation;
  const int64_t last = end < taps ? end : taps;
  return {first, last > first ? last : first};
}

/// The rows of taps that lie inside of the input, slice by slice: body(offset, tapRow, count) for `count` > 0 rows from
/// `tapRow` on, which lie dilationH rows apart from `offset` on.
template <class Shape, class Body>
SINTER_INLINE void tapRowsInside(const Shape &s, WindowStart start, Body body) {
  if constexpr (kHasSpread<Shape>) {
    for (int64_t tapRow = 0; tapRow < tapRows(s); ++tapRow)
      if (const int64_t offset = metRow(s, start, tapRow); offset >= 0)
        body(offset, tapRow, int64_t(1));
    return;
  }
  const Taps rows = tapsInside(start.y, s.kernelH, s.dilationH, s.height);
  const int64_t count = rows.last - rows.first, offset = (start.y + rows.first * s.dilationH) * s.in.row;
  if (count == 0)
    return;
  if constexpr (kHasSlices<Shape>) {
    const Taps slices = tapsInside(start.z, s.kernelD, s.dilationD, s.depth);
    for (int64_t d = slices.first; d < slices.last; ++d)
      body((start.z + d * s.dilationD) * s.in.slice + offset, d * s.kernelH + rows.first, count);
  } else {
    body(offset, rows.first, count);
  }
}

} // namespace
} // namespace sinter
