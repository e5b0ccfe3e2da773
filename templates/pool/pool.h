// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling by any associative step (max, average, Lp) on activations in channel blocks, lanes along channels, and on
// NCHW, lanes along a row. Ceil mode is the caller's: outHeight and outWidth say how many windows there are.
#pragma once

#include "templates/loops/lanes.h"
#include "templates/maps/image.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// ConvShape's sizes (filters, groups unused) and the padding behind, which an average may count.
struct PoolShape : ConvShape {
  int64_t padBottom = 0, padRight = 0;
};

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

/// How many elements output (h, w)'s window has: those of the image, or of the padded image.
template <class Shape>
SINTER_INLINE int64_t windowCount(const Shape &s, bool padded, int64_t h, int64_t w) {
  const int64_t y = h * s.strideH - s.padTop, x = w * s.strideW - s.padLeft;
  const auto count = [&](int64_t start, int64_t taps, int64_t dilation, int64_t size, int64_t before, int64_t after) {
    const Taps t = padded ? tapsInside(start + before, taps, dilation, size + before + after)
                          : tapsInside(start, taps, dilation, size);
    return t.last - t.first;
  };
  return count(y, s.kernelH, s.dilationH, s.height, s.padTop, s.padBottom) *
         count(x, s.kernelW, s.dilationW, s.width, s.padLeft, s.padRight);
}

/// Channels in blocks, `in` and `out` in the same block; output rows firstRow .. lastRow - 1. E: what is computed in.
/// `epilogue(v, n, c, h, w)`. No scratch; no alignment beyond the elements'.
template <class E, class Op, class Shape, class TA, class TC, class Epilogue>
SINTER_HOST_DEVICE void pool(const Shape &s, Op op, const TA *in, TC *out, int64_t firstRow, int64_t lastRow,
                             Epilogue epilogue) {
  const auto row = [&](auto tag, int64_t n, int64_t c, int64_t h) {
    using V = typename decltype(tag)::Type;
    const TA *image = in + n * s.in.batch + channelOffset(s.in, c);
    TC *result = out + n * s.out.batch + channelOffset(s.out, c) + h * s.out.row;
    const int64_t y = h * s.strideH - s.padTop;
    const Taps rows = tapsInside(y, s.kernelH, s.dilationH, s.height);
    for (int64_t w = 0; w < s.outWidth; ++w) {
      const int64_t x = w * s.strideW - s.padLeft;
      const Taps columns = tapsInside(x, s.kernelW, s.dilationW, s.width);
      V acc = op.template start<V>();
      for (int64_t kh = rows.first; kh < rows.last; ++kh)
        for (int64_t kw = columns.first; kw < columns.last; ++kw)
          acc = op.step(acc, load<V>(image + (y + kh * s.dilationH) * s.in.row + (x + kw * s.dilationW) * s.in.pixel));
      acc = op.finish(acc, ElementOf<V>(windowCount(s, countsPadding(op), h, w)));
      store(result + w * s.out.pixel, epilogue(acc, n, c, h, w));
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
  const int64_t atOnce = (kPoolStretch - reach) / s.strideW + 1;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t c = 0; c < s.channels; ++c)
      for (int64_t h = firstRow; h < lastRow; ++h) {
        const int64_t y = h * s.strideH - s.padTop;
        const Taps rows = tapsInside(y, s.kernelH, s.dilationH, s.height);
        const TA *image = in + n * s.in.batch + c * s.in.plane + (y + rows.first * s.dilationH) * s.in.row;
        TC *result = out + n * s.out.batch + c * s.out.plane + h * s.out.row;
        for (int64_t first = 0; first < s.outWidth; first += atOnce) {
          const int64_t end = first + atOnce < s.outWidth ? first + atOnce : int64_t(s.outWidth);
          const int64_t x0 = first * s.strideW - s.padLeft, span = (end - 1 - first) * s.strideW + reach;
          E column[kPoolStretch];
          const int64_t low = x0 < 0 ? -x0 : 0, high = x0 + span > s.width ? s.width - x0 : span;
          const auto reduceRows = [&](auto tag, int64_t i) {
            using W = typename decltype(tag)::Type;
            W acc = op.template start<W>();
            for (int64_t kh = 0; kh < rows.last - rows.first; ++kh)
              acc = op.step(acc, load<W>(image + kh * s.dilationH * s.in.row + x0 + i));
            store(&column[i], acc);
          };
          forLanes<E>(low, high, reduceRows);
          for (int64_t w = first; w < end; ++w) {
            const int64_t x = w * s.strideW - s.padLeft;
            const Taps taps = tapsInside(x, s.kernelW, s.dilationW, s.width);
            E acc = op.template start<E>();
            for (int64_t kw = taps.first; kw < taps.last; ++kw)
              acc = op.join(acc, column[x - x0 + kw * s.dilationW]);
            acc = op.finish(acc, E(windowCount(s, countsPadding(op), h, w)));
            store(result + w, epilogue(acc, n, c, h, w));
          }
        }
      }
}

} // namespace
} // namespace sinter
