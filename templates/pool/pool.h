// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling by any associative step (max, average, Lp) on activations in channel blocks, lanes along channels, and on
// NCHW, lanes along a row. Ceil mode is the caller's: outHeight and outWidth say how many windows there are.
#pragma once

#include "templates/loops/gather.h"
#include "templates/loops/lanes.h"
#include "templates/maps/rows.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// The sizes of a ConvShape or a VolumeShape (filters, groups unused) and the padding behind, which an average may
/// count.
template <class Base>
struct PoolShapeOf : Base {
  int64_t padBack = 0, padBottom = 0, padRight = 0;
};
using PoolShape = PoolShapeOf<ConvShape>;

/// What a pool does: `start`, `step` for each element inside of the image, `join` of two parts, `finish` given how many
/// elements the window has.
struct MaxPool {
  template <class V>
  SINTER_INLINE_MEMBER V start() const {
    using E = ElementOf<V>;
    if constexpr (kIsFloat<V>)
      return splat<V>(E(-float(SINTER_INFINITY)));
    else
      return splat<V>(kIsSigned<E> ? E(-(int64_t(1) << (sizeof(E) * 8 - 1))) : E(0));
  }
  template <class V>
  SINTER_INLINE_MEMBER V step(V acc, V x) const {
    return max(acc, x);
  }
  template <class V>
  SINTER_INLINE_MEMBER V join(V a, V b) const {
    return max(a, b);
  }
  template <class V>
  SINTER_INLINE_MEMBER V finish(V acc, ElementOf<V>) const {
    return acc;
  }
};
struct AveragePool {
  bool countsPadding; // ONNX's count_include_pad
  template <class V>
  SINTER_INLINE_MEMBER V start() const {
    return V{};
  }
  template <class V>
  SINTER_INLINE_MEMBER V step(V acc, V x) const {
    return acc + x;
  }
  template <class V>
  SINTER_INLINE_MEMBER V join(V a, V b) const {
    return a + b;
  }
  template <class V>
  SINTER_INLINE_MEMBER V finish(V acc, ElementOf<V> count) const {
    return acc / (count > ElementOf<V>(0) ? count : ElementOf<V>(1)); // a window without elements: 0
  }
  /// Of lanes that have a count each.
  template <class V>
  SINTER_INLINE_MEMBER V finishEach(V acc, V counts) const {
    return acc / max(counts, splat<V>(1));
  }
};
struct SumPool : AveragePool {
  SINTER_INLINE_MEMBER constexpr SumPool() : AveragePool{false} {}
  template <class V>
  SINTER_INLINE_MEMBER V finish(V acc, ElementOf<V>) const {
    return acc;
  }
};
/// The root of the sum of squares.
struct L2Pool {
  template <class V>
  SINTER_INLINE_MEMBER V start() const {
    return V{};
  }
  template <class V>
  SINTER_INLINE_MEMBER V step(V acc, V x) const {
    return fma(x, x, acc);
  }
  template <class V>
  SINTER_INLINE_MEMBER V join(V a, V b) const {
    return a + b;
  }
  template <class V>
  SINTER_INLINE_MEMBER V finish(V acc, ElementOf<V>) const {
    return sqrt(acc);
  }
};
struct L1Pool {
  template <class V>
  SINTER_INLINE_MEMBER V start() const {
    return V{};
  }
  template <class V>
  SINTER_INLINE_MEMBER V step(V acc, V x) const {
    return acc + abs(x);
  }
  template <class V>
  SINTER_INLINE_MEMBER V join(V a, V b) const {
    return a + b;
  }
  template <class V>
  SINTER_INLINE_MEMBER V finish(V acc, ElementOf<V>) const {
    return acc;
  }
};

template <class Op>
SINTER_INLINE bool countsPadding(const Op &) {
  return false;
}
SINTER_INLINE bool countsPadding(const AveragePool &op) { return op.countsPadding; }

/// How many places of one dim a window has that begins at `start`: those of the image, or of the padded image.
SINTER_INLINE int64_t windowPlaces(bool padded, int64_t start, int64_t taps, int64_t dilation, int64_t size,
                                   int64_t before, int64_t after) {
  const Taps t = padded ? tapsInside(start + before, taps, dilation, size + before + after)
                        : tapsInside(start, taps, dilation, size);
  return t.last - t.first;
}
template <class Shape>
SINTER_INLINE int64_t windowColumns(const Shape &s, bool padded, int64_t x) {
  return windowPlaces(padded, x, s.kernelW, s.dilationW, s.width, s.padLeft, s.padRight);
}
template <class Shape>
SINTER_INLINE int64_t windowRows(const Shape &s, bool padded, WindowStart top) {
  int64_t slices = 1;
  if constexpr (kHasSlices<Shape>)
    slices = windowPlaces(padded, top.z, s.kernelD, s.dilationD, s.depth, s.padFront, s.padBack);
  return slices * windowPlaces(padded, top.y, s.kernelH, s.dilationH, s.height, s.padTop, s.padBottom);
}
/// How many elements a window has that begins at `top` and x.
template <class Shape>
SINTER_INLINE int64_t windowCount(const Shape &s, bool padded, WindowStart top, int64_t x) {
  return windowRows(s, padded, top) * windowColumns(s, padded, x);
}

/// Columns of the input whose rows are reduced before windows go over them.
constexpr int64_t kPoolColumns = 64;
/// Whether windows along a row share columns so much that each column is reduced once, over the rows of a window, for
/// all windows that it is in: k by k taps then cost 2 k steps.
template <class Shape>
SINTER_INLINE bool sharesColumns(const Shape &s) {
  const int64_t reach = (s.kernelW - 1) * s.dilationW + 1, rows = tapRows(s);
  const int64_t columns = s.outWidth > 1 && s.strideW < s.kernelW ? s.strideW : s.kernelW;
  return kPoolColumns >= reach * 2 && rows * s.kernelW > rows * columns + s.kernelW;
}

/// One row of outputs for V's lanes of channels whose windows share columns.
template <class V, class Op, class Shape, class TA, class Write>
SINTER_HOST_DEVICE void poolBySharedColumns(const Shape &s, const Op &op, const TA *image, WindowStart top,
                                            Write write) {
  V reduced[kPoolColumns];
  const int64_t reach = (s.kernelW - 1) * s.dilationW + 1, atOnce = (kPoolColumns - reach) / s.strideW + 1;
  for (int64_t first = 0; first < s.outWidth; first += atOnce) {
    const int64_t end = first + atOnce < s.outWidth ? first + atOnce : int64_t(s.outWidth);
    const int64_t x0 = first * s.strideW - s.padLeft, behind = (end - 1) * s.strideW - s.padLeft + reach;
    for (int64_t x = x0 < 0 ? 0 : x0; x < behind && x < s.width; ++x) {
      V acc = op.template start<V>();
      tapRowsInside(s, top, [&](int64_t offset, int64_t, int64_t count) {
        for (int64_t i = 0; i < count; ++i, offset += s.dilationH * s.in.row)
          acc = op.step(acc, load<V>(image + offset + x * s.in.pixel));
      });
      reduced[x - x0] = acc;
    }
    for (int64_t w = first; w < end; ++w) {
      const int64_t x = w * s.strideW - s.padLeft;
      const Taps columns = tapsInside(x, s.kernelW, s.dilationW, s.width);
      V acc = op.template start<V>();
      for (int64_t kw = columns.first; kw < columns.last; ++kw)
        acc = op.join(acc, reduced[x - x0 + kw * s.dilationW]);
      write(acc, x, w);
    }
  }
}

/// Channels in blocks, `in` and `out` in the same block; output rows firstRow .. lastRow - 1, numbered as in rows.h.
/// E: what is computed in. `epilogue` as in atRow. No scratch; no alignment beyond the elements'.
template <class E, class Op, class Shape, class TA, class TC, class Epilogue>
SINTER_HOST_DEVICE void pool(const Shape &s, Op op, const TA *in, TC *out, int64_t firstRow, int64_t lastRow,
                             Epilogue epilogue) {
  const bool shares = sharesColumns(s);
  const auto row = [&](auto tag, int64_t n, int64_t c, int64_t h) {
    using V = typename decltype(tag)::Type;
    const TA *image = in + n * s.in.batch + channelOffset(s.in, c);
    TC *result = out + n * s.out.batch + channelOffset(s.out, c) + rowOffset(s, h);
    const WindowStart top = windowStart(s, h);
    const auto write = [&](V acc, int64_t x, int64_t w) SINTER_INLINE_LAMBDA {
      acc = op.finish(acc, ElementOf<V>(windowCount(s, countsPadding(op), top, x)));
      store(result + w * s.out.pixel, atRow(s, epilogue, acc, n, c, h, w));
    };
    if (shares)
      return poolBySharedColumns<V>(s, op, image, top, write);
    for (int64_t w = 0; w < s.outWidth; ++w) {
      const int64_t x = w * s.strideW - s.padLeft;
      const Taps columns = tapsInside(x, s.kernelW, s.dilationW, s.width);
      V acc = op.template start<V>();
      tapRowsInside(s, top, [&](int64_t offset, int64_t, int64_t count) {
        for (int64_t i = 0; i < count; ++i, offset += s.dilationH * s.in.row)
          for (int64_t kw = columns.first; kw < columns.last; ++kw)
            acc = op.step(acc, load<V>(image + offset + (x + kw * s.dilationW) * s.in.pixel));
      });
      write(acc, x, w);
    }
  };
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t block = 0; block < s.channels; block += s.in.block) {
      const int64_t end = block + s.in.block < s.channels ? block + s.in.block : int64_t(s.channels);
      for (int64_t h = firstRow; h < lastRow; ++h)
        forLanes<E>(block, end, [&](auto tag, int64_t c) { row(tag, n, c, h); });
    }
}

/// NCHW (block 1, neighbours in w adjacent). A stretch of a row is first reduced over the rows of the window, lanes
/// along w, then over its columns. Windows wider than kStretch columns are refused by the compiler, which then takes
/// loops.
constexpr int64_t kPoolStretch = 512;
template <class E, class Op, class Shape, class TA, class TC, class Epilogue>
SINTER_HOST_DEVICE void poolPlanar(const Shape &s, Op op, const TA *in, TC *out, int64_t firstRow, int64_t lastRow,
                                   Epilogue epilogue) {
  const int64_t reach = (s.kernelW - 1) * s.dilationW + 1;
  // What is around the image counts as `start`, which changes nothing; of averages each column has its count.
  constexpr bool needsCount = kSame<Op, AveragePool>;
  const int64_t atOnce = (kPoolStretch - reach) / (needsCount ? s.strideW + 1 : int64_t(s.strideW)) + 1;
  E room[kPoolStretch + 2]; // counts, then columns, and what loadEven reads behind them
  // Short rows several at a time: what was just written is slow to read in vectors that begin elsewhere.
  constexpr int64_t most = 8;
  const int64_t whole = (s.outWidth - 1) * s.strideW + reach;
  const int64_t fitting = s.outWidth > atOnce ? 1 : (kPoolStretch + 1 - (needsCount ? s.outWidth : 0)) / whole;
  const int64_t together = fitting < most ? fitting : most;
  const auto stretch = [&](int64_t n, int64_t c, int64_t row, int64_t rows, int64_t first) {
    const int64_t end = first + atOnce < s.outWidth ? first + atOnce : int64_t(s.outWidth);
    const int64_t x0 = first * s.strideW - s.padLeft, span = (end - 1 - first) * s.strideW + reach;
    const int64_t low = x0 < 0 ? -x0 : 0, high = x0 + span > s.width ? s.width - x0 : span;
    const TA *image = in + n * s.in.batch + c * s.in.plane;
    E *const columns = &room[needsCount ? end - first : 0];
    if constexpr (needsCount)
      if (end - first < s.outWidth || (n == 0 && c == 0 && row == firstRow))
        for (int64_t w = first; w < end; ++w)
          room[w - first] = E(windowColumns(s, countsPadding(op), w * s.strideW - s.padLeft));
    for (int64_t r = 0; r < rows; ++r) {
      E *const column = columns + r * span;
      bool more = false;
      tapRowsInside(s, windowStart(s, row + r), [&](int64_t offset, int64_t, int64_t count) {
        forLanes<E>(low, high, [&](auto tag, int64_t i) {
          using W = typename decltype(tag)::Type;
          W acc = more ? load<W>(column + i) : op.template start<W>();
          for (int64_t tap = 0; tap < count; ++tap)
            acc = op.step(acc, load<W>(image + offset + tap * s.dilationH * s.in.row + x0 + i));
          store(column + i, acc);
        });
        more = true;
      });
      const auto fill = [&](int64_t i, int64_t behind) {
        for (; i < behind; ++i)
          column[i] = op.template start<E>();
      };
      if (!more)
        fill(low, high);
      fill(0, low < span ? low : span);
      fill(high > 0 ? high : 0, span);
    }
    int64_t width = 1; // each element of a column stands for so many taps: maxima may overlap
    if constexpr (kSame<Op, MaxPool>)
      for (; s.strideW == 1 && width * 4 <= s.kernelW; width *= 2)
        for (int64_t r = 0; r < rows; ++r)
          forLanes<E>(r * span, (r + 1) * span - width * s.dilationW, [&](auto tag, int64_t i) {
            using W = typename decltype(tag)::Type;
            store(columns + i, op.join(load<W>(columns + i), load<W>(columns + i + width * s.dilationW)));
          });
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t h = row + r;
      [[maybe_unused]] const auto counted = E(needsCount ? windowRows(s, countsPadding(op), windowStart(s, h)) : 1);
      TC *result = out + n * s.out.batch + c * s.out.plane + rowOffset(s, h);
      forLanes<E>(first, end, [&](auto tag, int64_t w) {
        using W = typename decltype(tag)::Type;
        const E *const window = columns + r * span + (w - first) * s.strideW;
        W acc = op.template start<W>();
        for (int64_t kw = 0; kw < s.kernelW; kw += width) {
          const E *const at = window + (kw + width < s.kernelW ? kw : s.kernelW - width) * s.dilationW;
          acc = op.join(acc, s.strideW == 1   ? load<W>(at)
                             : s.strideW == 2 ? loadEven<W>(at)
                                              : loadApart<W>(at, s.strideW));
        }
        if constexpr (needsCount)
          acc = op.finishEach(acc, W(mul(splat<W>(counted), load<W>(&room[w - first]))));
        else
          acc = op.finish(acc, counted);
        store(result + w, atRow(s, epilogue, acc, n, c, h, w));
      });
    }
  };
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t c = 0; c < s.channels; ++c)
      for (int64_t h = firstRow; h < lastRow; h += together)
        for (int64_t first = 0; first < s.outWidth; first += atOnce)
          stretch(n, c, h, together < lastRow - h ? together : lastRow - h, first);
}

} // namespace
} // namespace sinter
