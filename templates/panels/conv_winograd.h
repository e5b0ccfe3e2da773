// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution with stride 1 of maps in channel blocks (NHWC included) by Winograd's products, two or four outputs a dim
// that has several taps (winograd_taps.h): of 3x3 taps 16 products make 2x2 outputs instead of 36 and 24 make 2x4
// instead of 72, of 5x5 49 make 2x2 instead of 100, of 1x7 ten make two instead of 14.
//   Y = A' [ (G g G') * (B' d B) ] A    of each tile of inputs d, summed over channels and parts of the taps between the brackets
// (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016). G g G' is made at compile time.
// A block of tiles at a time: its inputs are transformed to scratch; for each panel of filters the products of
// matrices, tiles by channels by filters, are those of segments.h; then outputs are made of their sums. The block is as
// large as a second-level cache lets it be, since the filters are read anew for each. Errors are below twice those of
// conv.h, also with four outputs in one of two dims, but not with larger tiles
// (test/templates/panels/conv_winograd.test.cpp).
// With a dilation d, a tile's inputs and its outputs lie d apart, and tiles whose outputs interlace follow each other.
#pragma once

#include "templates/loops/lanes.h"
#include "templates/maps/rows.h"
#include "templates/panels/panel_range.h"
#include "templates/panels/segments.h"
#include "templates/panels/winograd_taps.h"

namespace sinter {
namespace {

/// Floats from a tile's channels to the next tile's: never a multiple of 2 KB, where lines would meet in few sets.
SINTER_INLINE constexpr int64_t winogradPitch(int64_t channels) {
  const int64_t whole = (channels + 15) / 16 * 16;
  return whole % 512 == 0 ? whole + 16 : whole;
}
/// Floats of scratch for blocks of so many tiles: transformed inputs, and the sums of one panel.
SINTER_INLINE constexpr int64_t convWinogradScratch(WinogradTaps y, WinogradTaps x, int64_t channels, int64_t tiles,
                                                    int64_t panel) {
  return tiles * (y.products() * x.products() * winogradPitch(channels) + y.sums() * x.sums() * panel);
}

/// After how many of `products` products a sum of four outputs is added to that of those before: outputs have twice the
/// errors of these sums, which are least with about as many additions within a part as of parts.
SINTER_INLINE constexpr int64_t winogradSumDepth(int64_t products) { return products <= 1024 ? 24 : 48; }

/// Tiles along a dim: `outputs` of each lie `apart`; of all, with the first `phase` places before the first output.
template <int kOutputs>
struct WinogradTiles {
  int64_t apart, phase;
  SINTER_INLINE_MEMBER int64_t first(int64_t tile) const {
    return kOutputs == 1 ? tile - phase : tile / apart * (kOutputs * apart) + tile % apart - phase;
  }
  /// Before the tiles that place `at` belongs to, with those whose outputs interlace with them.
  SINTER_INLINE_MEMBER int64_t before(int64_t at) const {
    return kOutputs == 1 ? at + phase : (at + phase) / (kOutputs * apart) * apart;
  }
  SINTER_INLINE_MEMBER int64_t upTo(int64_t end) const {
    return kOutputs == 1 ? end + phase : (end + phase + kOutputs * apart - 1) / (kOutputs * apart) * apart;
  }
};

/// to(sum, value) for each of B' d of a part: three taps or two, two outputs or four.
template <bool kIsThree, int kTogether, class V, class Input, class To>
SINTER_INLINE void winogradPart(Input d, To to) {
  const V d0 = d(0), d1 = d(1), d2 = d(2);
  if constexpr (kTogether == 2) {
    to(0, kIsThree ? sub(d0, d2) : sub(d0, d1));
    to(1, kIsThree ? add(d1, d2) : d1);
    if constexpr (kIsThree) {
      to(2, sub(d2, d1));
      to(3, sub(d1, d(3)));
    } else {
      to(3, sub(d1, d2));
    }
  } else {
    constexpr float a = kWinogradA, b = kWinogradB;
    const auto less = [](V x, float factor, V y) SINTER_INLINE_LAMBDA { return fma(splat<V>(-factor), y, x); };
    const V d3 = d(3), d4 = d(4);
    if constexpr (kIsThree) {
      const V even = less(d4, b * b, d2), odd = less(d3, b * b, d1); // without the factors of b and -b
      to(0, less(even, a * a, less(d2, b * b, d0)));
      to(1, fma(splat<V>(a), odd, even));
      to(2, less(even, a, odd));
      const V evenB = less(d4, a * a, d2), oddB = less(d3, a * a, d1);
      to(3, fma(splat<V>(b), oddB, evenB));
      to(4, less(evenB, b, oddB));
      to(5, less(less(d(5), b * b, d3), a * a, odd));
    } else {
      const V second = less(d2, b, d1), third = less(d3, b, d2);
      to(0, less(third, a * a, less(d1, b, d0)));
      to(1, fma(splat<V>(a), second, third));
      to(2, less(third, a, second));
      to(3, less(d3, a * a, d1));
      to(5, less(less(d4, b, d3), a * a, second));
    }
  }
}
/// to(product, value) for each of B' d: the inputs of one tile along one dim.
template <class F, class V, class Input, class To>
SINTER_INLINE void winogradInputs(Input d, To to) {
  constexpr WinogradTaps taps = F::kWinograd;
  if constexpr (taps.isPlain()) {
    to(0, d(0));
  } else {
    constexpr int parts = taps.parts();
    SINTER_UNROLL
    for (int p = 0; p < parts; ++p) {
      const auto ofPart = [&](int i) SINTER_INLINE_LAMBDA { return d(taps.firstTap(p) + i); };
      const auto toSum = [&](int sum, V value) SINTER_INLINE_LAMBDA { to(taps.productsOf(sum) + p, value); };
      if (p < taps.threes())
        winogradPart<true, taps.together, V>(ofPart, toSum);
      else
        winogradPart<false, taps.together, V>(ofPart, toSum);
    }
  }
}
/// to(output, value) of a tile's sums along one dim.
template <class F, class Sum, class To>
SINTER_INLINE void winogradOutputs(Sum sum, To to) {
  constexpr int outputs = F::kWinograd.outputs();
  if constexpr (outputs == 1) {
    to(0, sum(0));
  } else {
    const auto second = sum(1), third = sum(2);
    if constexpr (outputs == 2) {
      to(0, add(add(sum(0), second), third));
      to(1, sub(sub(second, third), sum(3)));
    } else {
      using V = decltype(sum(0));
      constexpr float a = kWinogradA, b = kWinogradB;
      const V fourth = sum(3), fifth = sum(4), even = add(second, third), odd = sub(second, third);
      const V evenB = add(fourth, fifth), oddB = sub(fourth, fifth);
      const auto with = [](V x, float factor, V y) SINTER_INLINE_LAMBDA { return fma(splat<V>(factor), y, x); };
      to(0, add(add(sum(0), even), evenB));
      to(1, with(mul(splat<V>(a), odd), b, oddB));
      to(2, with(mul(splat<V>(a * a), even), b * b, evenB));
      to(3, with(with(sum(5), a * a * a, odd), b * b * b, oddB));
    }
  }
}

/// Inputs of the tiles of one row of them, for one vector of channels: product (i, j) of the t-th to
/// to[(i * products of a row + j) * apart + t * pitch].
template <class Y, class X, class V>
struct WinogradRow {
  static constexpr WinogradTaps kY = Y::kWinograd, kX = X::kWinograd;

  /// The inputs of a tile in one column, transformed along it.
  struct Column {
    V at[kY.products()];
  };

  /// `rows`: offsets of the input rows, negative outside. `columns`: the tiles along a row; `first` of them on.
  template <bool kIsInside, class Shape, class TA>
  SINTER_INLINE_MEMBER static void transform(const Shape &s, const TA *in, const int64_t *rows,
                                             WinogradTiles<kX.outputs()> columns, int64_t first, int64_t count,
                                             int64_t apart, int64_t pitch, float *to) {
    const auto column = [&](int64_t x) SINTER_INLINE_LAMBDA {
      Column made{};
      if (x < 0 || x >= s.width)
        return made;
      const TA *at = in + x * s.in.pixel;
      const auto pixel = [&](int i)
                             SINTER_INLINE_LAMBDA { return kIsInside || rows[i] >= 0 ? load<V>(at + rows[i]) : V{}; };
      winogradInputs<Y, V>(pixel, [&](int i, V value) SINTER_INLINE_LAMBDA { made.at[i] = value; });
      return made;
    };
    constexpr int inputs = kX.inputs(), productsY = kY.products(), productsX = kX.products();
    Column window[inputs] = {};
    // What a tile has in common with the one before is not made again.
    const bool isShared = columns.apart == 1;
    constexpr int kShared = kX.taps - 1;
    const int64_t x = columns.first(first) - s.padLeft;
    if (isShared) {
      SINTER_UNROLL
      for (int j = 0; j < kShared; ++j)
        window[j + inputs - kShared] = column(x + j);
    }
    for (int64_t t = 0; t < count; ++t) {
      const int64_t begin = columns.first(first + t) - s.padLeft;
      SINTER_UNROLL
      for (int j = 0; j < kShared; ++j)
        window[j] = isShared ? window[j + inputs - kShared] : column(begin + j * columns.apart);
      SINTER_UNROLL
      for (int j = kShared; j < inputs; ++j)
        window[j] = column(begin + j * columns.apart);
      SINTER_UNROLL
      for (int i = 0; i < productsY; ++i)
        winogradInputs<X, V>([&](int j) SINTER_INLINE_LAMBDA { return window[j].at[i]; },
                             [&](int j, V value)
                                 SINTER_INLINE_LAMBDA { store(to + (i * productsX + j) * apart + t * pitch, value); });
    }
  }
};

/// A block of tiles: from one in a row of tiles on, over the ends of rows.
struct WinogradBlock {
  int64_t row, column, columns, tiles; ///< columns: tiles of a row
};

/// The transformed inputs of a block, for the channels of a group.
template <class Y, class X, class Shape, class TA, class Rows, class Columns>
SINTER_INLINE void winogradBlockInputs(const Shape &s, const TA *in, int64_t firstChannel, int64_t channels,
                                       const Rows &rows, const Columns &columns, const WinogradBlock &block,
                                       float *to) {
  constexpr WinogradTaps kY = Y::kWinograd;
  const int64_t pitch = winogradPitch(channels), apart = block.tiles * pitch;
  forLanes<float>(int64_t(0), channels, [&](auto tag, int64_t c) SINTER_INLINE_LAMBDA {
    using Row = WinogradRow<Y, X, typename decltype(tag)::Type>;
    const TA *from = in + channelOffset(s.in, firstChannel + c);
    int64_t row = block.row, column = block.column;
    for (int64_t t = 0; t < block.tiles;) {
      const int64_t y = rows.first(row) - s.padTop;
      int64_t offsets[kY.inputs()];
      bool isInside = true;
      for (int64_t i = 0; i < kY.inputs(); ++i) {
        const int64_t at = y + i * rows.apart;
        offsets[i] = at >= 0 && at < s.height ? at * s.in.row : -1;
        isInside = isInside && offsets[i] >= 0;
      }
      const int64_t left = block.columns - column, count = left < block.tiles - t ? left : block.tiles - t;
      float *const first = to + t * pitch + c;
      if (isInside)
        Row::template transform<true>(s, from, &offsets[0], columns, column, count, apart, pitch, first);
      else
        Row::template transform<false>(s, from, &offsets[0], columns, column, count, apart, pitch, first);
      t += count;
      column = 0;
      ++row;
    }
  });
}

/// out(n, filter..., h, w) = epilogue(...) of the sums of one panel, NR floats for each tile of a block.
template <class Y, class X, int NR, class Shape, class TC, class Rows, class Columns, class Epilogue>
SINTER_INLINE void winogradBlockOutputs(const Shape &s, const float *sums, TC *out, int64_t n, int64_t filter,
                                        int64_t end, const Rows &rows, const Columns &columns,
                                        const WinogradBlock &block, int64_t firstRow, int64_t lastRow,
                                        Epilogue &epilogue) {
  constexpr WinogradTaps kY = Y::kWinograd, kX = X::kWinograd;
  constexpr int sumsX = kX.sums(), outputsY = kY.outputs();
  const int64_t apart = block.tiles * NR, last = filter + NR < end ? filter + NR : end;
  int64_t row = block.row, column = block.column;
  for (int64_t t = 0; t < block.tiles; ++t) {
    const int64_t h = rows.first(row), w = columns.first(column);
    forLanes<float, (kLanes<float> <= NR ? kLanes<float> : NR)>(filter, last, [&](auto tag, int64_t k) {
      using V = typename decltype(tag)::Type;
      const float *at = sums + t * NR + (k - filter);
      TC *to = out + channelOffset(s.out, k);
      V made[outputsY][sumsX];
      SINTER_UNROLL
      for (int j = 0; j < sumsX; ++j)
        winogradOutputs<Y>([&](int i) SINTER_INLINE_LAMBDA { return load<V>(at + (i * sumsX + j) * apart); },
                           [&](int i, V value) SINTER_INLINE_LAMBDA { made[i][j] = value; });
      SINTER_UNROLL
      for (int i = 0; i < outputsY; ++i) {
        const int64_t y = h + i * rows.apart;
        if (y < firstRow || y >= lastRow)
          continue;
        winogradOutputs<X>([&](int j) SINTER_INLINE_LAMBDA { return made[i][j]; },
                           [&](int j, V value) SINTER_INLINE_LAMBDA {
                             const int64_t x = w + j * columns.apart;
                             if (x >= 0 && x < s.outWidth)
                               store(to + y * s.out.row + x * s.out.pixel, epilogue(value, n, k, y, x));
                           });
      }
    });
    if (++column == block.columns) {
      column = 0;
      ++row;
    }
  }
}

/// convWinograd of image n, or of a slice of it, which begins at `in` and `out`.
template <class Y, class X, int R, int NR, int kTiles, class Shape, class TA, class TB, class TC, class First,
          class Last, class PhaseY, class PhaseX, class Epilogue, class Range>
SINTER_INLINE void winogradPlane(const Shape &s, const TA *in, const TB *weights, TC *out, float *scratch, int64_t n,
                                 First firstRow, Last lastRow, PhaseY phaseY, PhaseX phaseX, Epilogue &epilogue,
                                 const void *next, Range range) {
  using V = Vec<float, (kLanes<float> <= NR ? kLanes<float> : NR)>;
  constexpr int vectors = NR / kLanesOf<V>;
  constexpr WinogradTaps kY = Y::kWinograd, kX = X::kWinograd;
  constexpr bool kIsFours = kX.together == 4 || kY.together == 4;
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups, panels = (filters + NR - 1) / NR;
  const int64_t pitch = winogradPitch(channels);
  const WinogradTiles<kY.outputs()> rows{s.dilationH, phaseY};
  const WinogradTiles<kX.outputs()> columns{s.dilationW, phaseX};
  const int64_t firstTile = rows.before(firstRow), tileRows = rows.upTo(lastRow) - firstTile;
  const int64_t tileColumns = columns.upTo(s.outWidth) - columns.before(0);
  for (int64_t g = 0; g < s.groups; ++g) {
    const int64_t firstPanel = range.begin(g, panels), lastPanel = range.end(g, panels);
    if (firstPanel < lastPanel)
      rowTiles<kTiles>(tileRows * tileColumns, [&](int64_t tiles, int64_t first) {
        const WinogradBlock block = {firstTile + first / tileColumns, first % tileColumns, tileColumns, tiles};
        winogradBlockInputs<Y, X>(s, in, g * channels, channels, rows, columns, block, scratch);
        const int64_t apart = tiles * pitch; // of products
        float *const sums = scratch + kY.products() * kX.products() * apart;
        const TB *b = weights + (g * panels + firstPanel) * kY.products() * kX.products() * channels * NR;
        for (int64_t p = firstPanel; p < lastPanel; ++p) {
          for (int i = 0; i < kY.sums(); ++i)
            for (int j = 0; j < kX.sums(); ++j) {
              Segment<float, TB> segments[kY.parts() * kX.parts()];
              const TB *behind = b; // of a sum without products: dims of two and of four taps have such
              int count = 0;
              for (int y = kY.productsOf(i); y < kY.productsOf(i + 1); ++y)
                for (int x = kX.productsOf(j); x < kX.productsOf(j + 1); ++x) {
                  const int64_t product = y * kX.products() + x;
                  segments[count++] = {scratch + product * apart, b + product * channels * NR, channels, 1, 0};
                  behind = b + (product + 1) * channels * NR;
                }
              const int64_t depth = kIsFours ? winogradSumDepth(count * channels) : kSumDepth;
              const bool isLast = i + 1 == kY.sums() && j + 1 == kX.sums() && p + 1 == lastPanel && next;
              const int64_t steps = count * channels;
              NextPanel ahead(isLast ? next : behind, NR * sizeof(TB), steps, (tiles + R - 1) / R);
              rowTiles<R>(tiles, [&](int64_t rowsOfTile, int64_t tile) {
                rankSegmentsOf<kTileSizes<R, int64_t>, vectors>(
                    rowsOfTile, &segments[0], count, pitch, Fixed<1>{}, ahead.share(), false,
                    reinterpret_cast<V *>(sums + ((i * kX.sums() + j) * tiles + tile) * NR), depth);
                for (int k = 0; k < count; ++k)
                  segments[k].a += rowsOfTile * pitch;
                ahead.endTile();
              });
            }
          b += kY.products() * kX.products() * channels * NR;
          winogradBlockOutputs<Y, X, NR>(s, sums, out, n, g * filters + p * NR, (g + 1) * filters, rows, columns, block,
                                         firstRow, lastRow, epilogue);
        }
      });
  }
}

/// `in`, `out`: as s.in and s.out say; floats or halfs; a vector of channels or filters lies in one block of theirs,
/// but for the last. Two dims, or a volume with one tap of depth; strides of 1; any pads and dilations. `weights`:
/// [group][panel][product of y][product of x][channel] [filter in panel] with this NR, zeros behind a group's last
/// filter. `scratch`: convWinogradScratch floats of a group's channels. `Y`, `X`: WinogradF of rows and of columns.
/// Rows and columns of outputs are made together that lie within 2 or 4 dilations of each other, as F has outputs:
/// output rows firstRow .. lastRow - 1, where row 0 is the `phaseY`-th, and column 0 the `phaseX`-th, of those; so each
/// sum is the same in any share of rows, and in any row tile that says its phase. R and NR as in gemm.h; kTiles: most
/// of a block. `epilogue`: (v, n, filter, h, w). `next`: what will be read after this, or null. `range`: which panels.
template <class Y, class X, int R, int NR, int kTiles, class Shape, class TA, class TB, class TC, class First,
          class Last, class PhaseY, class PhaseX, class Epilogue, class Range = AllPanels>
void convWinograd(const Shape &s, const TA *in, const TB *weights, TC *out, float *scratch, First firstRow,
                  Last lastRow, PhaseY phaseY, PhaseX phaseX, Epilogue epilogue, const void *next = nullptr,
                  Range range = {}) {
  for (int64_t n = 0; n < s.batch; ++n)
    if constexpr (kHasSlices<Shape>) {
      for (int64_t row = firstRow; row < lastRow;) {
        const int64_t d = row / s.outHeight, before = d * s.outHeight;
        const int64_t end = lastRow - before < s.outHeight ? lastRow - before : int64_t(s.outHeight);
        const auto ofSlice = [&](auto v, int64_t image, int64_t k, int64_t y, int64_t x)
                                 SINTER_INLINE_LAMBDA { return epilogue(v, image, k, d, y, x); };
        winogradPlane<Y, X, R, NR, kTiles>(s, in + n * s.in.batch + d * s.in.slice, weights,
                                           out + n * s.out.batch + d * s.out.slice, scratch, n, row - before, end,
                                           phaseY, phaseX, ofSlice, next, range);
        row = before + end;
      }
    } else {
      winogradPlane<Y, X, R, NR, kTiles>(s, in + n * s.in.batch, weights, out + n * s.out.batch, scratch, n, firstRow,
                                         lastRow, phaseY, phaseX, epilogue, next, range);
    }
}

} // namespace
} // namespace sinter
