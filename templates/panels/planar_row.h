// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a convolution that reads plain channels through windows that are known and short: what most first layers are.
// A table says where each row of taps of each channel begins; the taps of one are unrolled. At the left and right
// border a tile's rows are copied with their zeros first, those of halfs everywhere, as floats. conv_planar.h takes all
// other windows, too.
#pragma once

#include "templates/panels/conv.h"

namespace sinter {
namespace {

/// Whether a shape has its windows as constants.
template <class Shape>
constexpr bool kStaticWindows = kStaticMember<decltype(&Shape::channels)> && kStaticMember<decltype(&Shape::groups)> &&
                                kStaticMember<decltype(&Shape::kernelH)> && kStaticMember<decltype(&Shape::kernelW)> &&
                                kStaticMember<decltype(&Shape::strideW)> &&
                                kStaticMember<decltype(&Shape::dilationW)> && kStaticMember<decltype(&Shape::in)>;

/// copy[i] = the element x + i of a row, zero outside of it; of halfs as a float.
template <class Shape, class TA, class TC>
SINTER_INLINE void copyOverBorder(const Shape &s, const TA *row, int64_t x, int64_t span, TC *copy) {
  const int64_t before = -x > span ? span
                         : x < 0   ? -x
                                   : 0,
                room = s.width - x,
                end = room < before ? before
                      : room < span ? room
                                    : span;
  const TA *from = row + x * s.in.pixel;
  for (int64_t i = 0; i < before; ++i)
    copy[i] = TC{};
  if (s.in.pixel != 1)
    for (int64_t i = before; i < end; ++i)
      copy[i] = convert<TC>(from[i * s.in.pixel]);
  else if constexpr (kSame<TA, TC>)
    memcpy(copy + before, from + before, size_t(end - before) * sizeof(TA));
  else {
    using V = Vec<TC, kLanes<TC>>;
    int64_t i = before;
    for (; i + kLanes<TC> <= end; i += kLanes<TC>)
      store(copy + i, load<V>(from + i));
    if (i < end && end - before >= kLanes<TC>) // the last vector again takes some that the one before it has
      store(copy + end - kLanes<TC>, load<V>(from + end - kLanes<TC>));
    else
      for (; i < end; ++i)
        copy[i] = convert<TC>(from[i]);
  }
  for (int64_t i = end; i < span; ++i)
    copy[i] = TC{};
}

/// One row of taps of one channel: where its elements for output column 0 are, and its weights in a panel.
template <class TA>
struct TapRow {
  const TA *a;
  int64_t b;
};
constexpr int64_t kMostTapRows = 64, kBorderCopies = kLanes<float> > 1 ? 1024 : 512;

/// Those that output row h meets.
template <class TA>
struct TapRowTable {
  TapRow<TA> rows[kMostTapRows];
  int64_t count = 0;

  template <class Shape>
  SINTER_INLINE_MEMBER TapRowTable(const Shape &s, const TA *in, int64_t firstChannel, int64_t channels, int64_t h,
                                   int64_t columns) {
    for (int64_t c = 0; c < channels; ++c)
      tapRowsInside(s, windowStart(s, h), [&](int64_t offset, int64_t first, int64_t taps) {
        const TA *a = in + channelOffset(s.in, firstChannel + c) + offset - s.padLeft * s.in.pixel;
        for (int64_t i = 0; i < taps; ++i)
          rows[count++] = {a + i * s.dilationH * s.in.row, (c * tapRows(s) + first + i) * s.kernelW * columns};
      });
  }
};

/// body(Fixed<0>{}), body(Fixed<1>{}), ... for kCount numbers.
template <int kCount, class Body>
SINTER_INLINE void forFixed(Body body) {
  if constexpr (kCount > 0) {
    forFixed<kCount - 1>(body);
    body(Fixed<kCount - 1>{});
  }
}

/// The kSpan elements that the pixels of a tile meet in a row of taps, in vectors none of which reaches beyond them:
/// fewer loads than one for each pixel and tap, where an fma takes a lane.
template <int64_t kSpan, class V>
struct TapLanes {
  static constexpr int64_t lanes = kLanesOf<V>, vectors = (kSpan + lanes - 1) / lanes;
  V at[vectors];

  static constexpr int64_t begin(int64_t vector) { return vector + 1 < vectors ? vector * lanes : kSpan - lanes; }
  template <class T>
  SINTER_INLINE_MEMBER explicit TapLanes(const T *a) {
    SINTER_UNROLL
    for (int64_t i = 0; i < vectors; ++i)
      at[i] = load<V>(a + begin(i));
  }
  template <int64_t kElement>
  SINTER_INLINE_MEMBER V element() const {
    return splatLane<int(kElement - begin(kElement / lanes))>(at[kElement / lanes]);
  }
};
/// Whether registers hold them beside the sums of R pixels by NV vectors, a row of weights and the next one.
template <int R, int NV, class V, int64_t kSpan>
constexpr bool kHoldsTapLanes = kTakesLanes<V> && kSpan >= kLanesOf<V> &&
                                R * NV + (kSpan + kLanesOf<V> - 1) / kLanesOf<V> + 2 * NV <= kVectorRegisters;

/// Adds up one tile whose rows of taps are short, `KW` each: row i of the tile has its elements `stride` behind those
/// of row i - 1, taps are `step` apart; `x` is added to where the table's rows start. No loop over a row's taps, so
/// that all addresses of a tap row are one register and constants.
template <int R, int NV, class V, int KW, class Stride, class Step, class TA, class TB>
void sumTapRows(const TapRow<TA> *rows, int64_t count, int64_t x, Stride stride, Step step, const TB *weights,
                Ahead ahead, V *out) {
  constexpr int64_t span = (R - 1) * kFixed<Stride> + (KW - 1) * kFixed<Step> + 1;
  bool more = false;
  int64_t i = 0;
  do {
    constexpr int64_t together = kSumDepth / KW;
    const int64_t end = i + together < count ? i + together : count;
    Sums<R, NV, V> sums;
    sums.start();
    for (; i < end; ++i, ahead.at += ahead.step) {
      const TA *a = rows[i].a + x;
      const TB *b = weights + rows[i].b;
      if constexpr (kHoldsTapLanes<R, NV, V, span>) {
        const TapLanes<span, V> taps(a);
        SINTER_PREFETCH(ahead.at);
        forFixed<KW>([&](auto q) SINTER_INLINE_LAMBDA {
          V w[NV];
          SINTER_UNROLL
          for (int j = 0; j < NV; ++j)
            w[j] = load<V>(b + (q * NV + j) * kLanesOf<V>);
          forFixed<R>([&](auto r) SINTER_INLINE_LAMBDA {
            const V element = taps.template element<r * kFixed<Stride> + q * kFixed<Step>>();
            SINTER_UNROLL
            for (int j = 0; j < NV; ++j)
              sums.at[r][j] = multiplyAdd(element, w[j], sums.at[r][j]);
          });
        });
        continue;
      }
      SINTER_UNROLL
      for (int q = 0; q < KW; ++q) {
        // Rows meet elements that others met at another tap. Where sums leave few registers, holding those for later
        // would push sums to memory: a pointer that the compiler cannot follow has them read again.
        if constexpr (R * NV > (kLanes<float> == 16 ? 14 : 8))
          SINTER_FORGET(a);
        sums.add([&](int r) { return a[r * stride + q * step]; }, b + q * NV * kLanesOf<V>, ahead.at);
      }
    }
    sums.end(out, more);
    more = true;
  } while (i < count);
}

/// Whether tiles of R pixels by NV vectors of a shape that is known are added up so.
template <int R, int NV, class V, class Shape>
constexpr bool takesTapLanes() {
  if constexpr (kTakesLanes<V> && kStaticWindows<Shape>)
    return Shape::in.pixel == 1 &&
           kHoldsTapLanes<R, NV, V, (R - 1) * Shape::strideW + (Shape::kernelW - 1) * Shape::dilationW + 1>;
  else
    return false;
}

/// Whether sumTapRows serves: a shape that is known, with few rows of few taps, and vectors to save the time of.
template <int R, class Shape>
constexpr bool hasShortTapRows() {
  if constexpr (kStaticWindows<Shape> && kLanes<float> > 1 && !kHasSlices<Shape> && !kHasSpread<Shape>) {
    constexpr int64_t tapRows = Shape::channels / Shape::groups * Shape::kernelH;
    constexpr int64_t span = (R - 1) * Shape::strideW + (Shape::kernelW - 1) * Shape::dilationW + 1;
    return Shape::kernelW <= 11 && tapRows <= kMostTapRows && tapRows * span <= kBorderCopies;
  } else {
    return false;
  }
}

/// An output row of a group by tiles of at most kPixels (tap_rows.h): store(sums, pixels, panel, column) for each.
template <int kPixels, class Panels, class Shape, class TA, class TB, class Store>
SINTER_INLINE void planarTapRows(const Shape &s, const Panels &panels, const TA *in, const TB *weights, int64_t group,
                                 int64_t h, Ahead ahead, Store store) {
  using V = typename Panels::V;
  using Form = TapRowForm<int(Shape::kernelW), int(Shape::strideW), int(Shape::dilationW)>;
  constexpr int64_t vectors = Panels::vectors * kLanesOf<V>;
  const TapRowTable<TA> table(s, in, group * panels.channels, panels.channels, h, vectors);
  for (int64_t p = 0; p < panels.count; ++p) {
    const TB *panel = weights + (group * panels.count + p) * panels.size;
    TapRowSegment<TA, TB> segments[kMostTapRows];
    for (int64_t i = 0; i < table.count; ++i)
      segments[i] = {table.rows[i].a, panel + table.rows[i].b, 1, 1, 0};
    rowTiles<kPixels>(s.outWidth, [&](int64_t pixels, int64_t w) {
      V sums[kPixels * Panels::vectors];
      const TapRowTile tile = tapRowTileAt<Shape>(w, pixels);
      withTapRowTile<TapRowTiles<Shape, kPixels>, 0>(tile, [&](auto fixed, auto left, auto right) {
        rankTapRows<int(decltype(fixed)::value), int(decltype(left)::value), int(decltype(right)::value),
                    Panels::vectors, V, Form>(&segments[0], table.count, (w * s.strideW + tile.left) * s.in.pixel,
                                              s.in.pixel, vectors, ahead, false, &sums[0]);
      });
      store(&sums[0], pixels, p, w);
    });
  }
}

/// `columns` (Fixed or int64_t) of an output row of a group, from firstColumn on: store(sums, pixels, panel, column)
/// for each tile.
template <int R, class Columns, class Panels, class Shape, class TA, class TB, class Store>
SINTER_INLINE void planarRow(const Shape &s, int64_t firstColumn, Columns columns, const Panels &panels, const TA *in,
                             const TB *weights, int64_t group, int64_t h, Ahead ahead, Store store) {
  constexpr int vectors = Panels::vectors;
  using V = typename Panels::V;
  const TapRowTable<TA> table(s, in, group * panels.channels, panels.channels, h, vectors * kLanesOf<V>);
  for (int64_t p = 0; p < panels.count; ++p) {
    const TB *panel = weights + (group * panels.count + p) * panels.size;
    rowTiles<R>(columns, [&](int64_t rows, int64_t first) {
      const int64_t w = firstColumn + first;
      const int64_t x = w * s.strideW, span = (rows - 1) * s.strideW + (s.kernelW - 1) * s.dilationW + 1;
      [[maybe_unused]] const bool inside = x >= s.padLeft && x - s.padLeft + span <= s.width;
      V sums[R * vectors];
      withRows<kTileSizes<R, Columns>>(rows, [&](auto fixed) {
        constexpr int r = int(decltype(fixed)::value);
        using Copy = typename IfType<kIsHalf<TA>, float, TA>::Type;
        if constexpr (!kIsHalf<TA>)
          if (inside) {
            sumTapRows<r, vectors, V, Shape::kernelW>(
                &table.rows[0], table.count, x * s.in.pixel, Fixed<Shape::strideW * Shape::in.pixel>{},
                Fixed<Shape::dilationW * Shape::in.pixel>{}, panel, ahead, &sums[0]);
            return;
          }
        Copy copies[kBorderCopies];
        TapRow<Copy> copied[kMostTapRows];
        for (int64_t i = 0; i < table.count; ++i) {
          copyOverBorder(s, table.rows[i].a + s.padLeft * s.in.pixel, x - s.padLeft, span, &copies[i * span]);
          copied[i] = {&copies[i * span], table.rows[i].b};
        }
        sumTapRows<r, vectors, V, Shape::kernelW>(&copied[0], table.count, 0, Fixed<Shape::strideW>{},
                                                  Fixed<Shape::dilationW>{}, panel, ahead, &sums[0]);
      });
      store(&sums[0], rows, p, w);
    });
  }
}

} // namespace
} // namespace sinter
