// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 3x3 convolution with stride 1 of maps in channel blocks (NHWC included) by Winograd's F(2x2, 3x3): 16 products make
// four outputs instead of 36 (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016).
//   Y = A' [ (G g G') * (B' d B) ] A    of each tile of 4x4 inputs d, summed over channels between the brackets
//   B' = [1 0 -1 0; 0 1 1 0; 0 -1 1 0; 0 1 0 -1]     A' = [1 1 1 0; 0 1 -1 -1]
//   G  = [1 0 0; .5 .5 .5; .5 -.5 .5; 0 0 1]         filters are transformed at compile time
// A block of tiles at a time: its inputs are transformed to scratch; for each panel of filters the 16 products of
// matrices, tiles by channels by filters, are those of segments.h; then outputs are made of their sums. The block is as
// large as a second-level cache lets it be, since the filters are read anew for each. Errors are below twice those of
// conv.h, which transforms of larger tiles exceed several times (test/templates/panels/conv_winograd.test.cpp).
#pragma once

#include "templates/loops/lanes.h"
#include "templates/maps/rows.h"
#include "templates/panels/segments.h"

namespace sinter {
namespace {

constexpr int64_t kWinogradProducts = 16; ///< of a tile

/// Floats from a tile's channels to the next tile's: never a multiple of 2 KB, where lines would meet in few sets.
SINTER_INLINE constexpr int64_t winogradPitch(int64_t channels) {
  const int64_t whole = (channels + 15) / 16 * 16;
  return whole % 512 == 0 ? whole + 16 : whole;
}
/// Floats of scratch for blocks of so many tiles: transformed inputs, and the sums of one panel.
SINTER_INLINE constexpr int64_t convWinogradScratch(int64_t channels, int64_t tiles, int64_t panel) {
  return kWinogradProducts * tiles * (winogradPitch(channels) + panel);
}

/// One row of 1-D transforms, of the four values B' is applied to.
template <class V>
struct WinogradColumn {
  V at[4];
  SINTER_INLINE_MEMBER static WinogradColumn of(V a, V b, V c, V d) {
    return {{sub(a, c), add(b, c), sub(c, b), sub(b, d)}};
  }
};

/// The transformed inputs of tiles `first` .. `first + count - 1` of one row of tiles, for one vector of channels at
/// `in`: position (i, j) of tile t to to[(4 i + j) * apart + t * pitch]. `rows`: of the four input rows the offsets,
/// negative outside.
template <class V, bool kIsInside, class Shape, class TA>
SINTER_INLINE void winogradInputs(const Shape &s, const TA *in, const int64_t *rows, int64_t first, int64_t count,
                                  int64_t apart, int64_t pitch, float *to) {
  using Column = WinogradColumn<V>;
  const auto column = [&](int64_t x) SINTER_INLINE_LAMBDA {
    if (x < 0 || x >= s.width)
      return Column{};
    const TA *at = in + x * s.in.pixel;
    const auto pixel = [&](int i)
                           SINTER_INLINE_LAMBDA { return kIsInside || rows[i] >= 0 ? load<V>(at + rows[i]) : V{}; };
    return Column::of(pixel(0), pixel(1), pixel(2), pixel(3));
  };
  int64_t x = 2 * first - s.padLeft;
  Column a = column(x), b = column(x + 1);
  for (int64_t t = 0; t < count; ++t) {
    x += 2;
    const Column c = column(x), d = column(x + 1);
    SINTER_UNROLL
    for (int i = 0; i < 4; ++i) {
      const Column row = Column::of(a.at[i], b.at[i], c.at[i], d.at[i]);
      SINTER_UNROLL
      for (int j = 0; j < 4; ++j)
        store(to + (4 * i + j) * apart + t * pitch, row.at[j]);
    }
    a = c;
    b = d;
  }
}

/// Those of a block of tiles, which runs on over the ends of rows, for the channels of a group.
template <class Shape, class TA>
SINTER_INLINE void winogradBlockInputs(const Shape &s, const TA *in, int64_t firstChannel, int64_t channels,
                                       int64_t phase, int64_t tileRow, int64_t tileColumn, int64_t tiles, float *to) {
  const int64_t columns = (s.outWidth + 1) / 2, pitch = winogradPitch(channels), apart = tiles * pitch;
  forLanes<float>(int64_t(0), channels, [&](auto tag, int64_t c) SINTER_INLINE_LAMBDA {
    using V = typename decltype(tag)::Type;
    const TA *from = in + channelOffset(s.in, firstChannel + c);
    int64_t row = tileRow, column = tileColumn;
    for (int64_t t = 0; t < tiles;) {
      const int64_t y = 2 * row - phase - s.padTop;
      int64_t rows[4];
      bool isInside = true;
      for (int64_t i = 0; i < 4; ++i) {
        rows[i] = y + i >= 0 && y + i < s.height ? (y + i) * s.in.row : -1;
        isInside = isInside && rows[i] >= 0;
      }
      const int64_t count = columns - column < tiles - t ? columns - column : tiles - t;
      if (isInside)
        winogradInputs<V, true>(s, from, &rows[0], column, count, apart, pitch, to + t * pitch + c);
      else
        winogradInputs<V, false>(s, from, &rows[0], column, count, apart, pitch, to + t * pitch + c);
      t += count;
      column = 0;
      ++row;
    }
  });
}

/// out(n, filter..., h, w) = epilogue(...) of the sums of one panel, NR floats for each tile of a block.
template <int NR, class Shape, class TC, class Epilogue>
SINTER_INLINE void winogradOutputs(const Shape &s, const float *sums, int64_t tiles, TC *out, int64_t n, int64_t filter,
                                   int64_t end, int64_t phase, int64_t tileRow, int64_t tileColumn, int64_t firstRow,
                                   int64_t lastRow, Epilogue &epilogue) {
  const int64_t columns = (s.outWidth + 1) / 2, apart = tiles * NR;
  const int64_t last = filter + NR < end ? filter + NR : end;
  int64_t h = 2 * tileRow - phase, column = tileColumn;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t w = 2 * column;
    forLanes<float, (kLanes<float> <= NR ? kLanes<float> : NR)>(filter, last, [&](auto tag, int64_t k) {
      using V = typename decltype(tag)::Type;
      const float *at = sums + t * NR + (k - filter);
      TC *to = out + channelOffset(s.out, k) + n * s.out.batch + h * s.out.row + w * s.out.pixel;
      V top[4], bottom[4];
      SINTER_UNROLL
      for (int j = 0; j < 4; ++j) {
        const auto sum = [&](int i) SINTER_INLINE_LAMBDA { return load<V>(at + (4 * i + j) * apart); };
        const V second = sum(1), third = sum(2);
        top[j] = add(add(sum(0), second), third);
        bottom[j] = sub(sub(second, third), sum(3));
      }
      const auto row = [&](const V(&from)[4], int64_t i) {
        if (h + i < firstRow || h + i >= lastRow)
          return;
        store(to + i * s.out.row, epilogue(add(add(from[0], from[1]), from[2]), n, k, h + i, w));
        if (w + 1 < s.outWidth)
          store(to + i * s.out.row + s.out.pixel, epilogue(sub(sub(from[1], from[2]), from[3]), n, k, h + i, w + 1));
      };
      row(top, 0);
      row(bottom, 1);
    });
    if (++column == columns) {
      column = 0;
      h += 2;
    }
  }
}

/// `in`, `out`: as s.in and s.out say; floats or halfs; a vector of channels or filters lies in one block of theirs,
/// but for the last. Two dims, 3x3 taps, strides and dilations of 1; any pads. `weights`:
/// [group][panel][product][channel] [filter in panel] with this NR, of G g G', zeros behind a group's last filter.
/// `scratch`: convWinogradScratch floats of a group's channels. Output rows firstRow .. lastRow - 1, where row 0 is the
/// first of a tile's two rows, or, with a `phase` of 1, the second: each sum is the same in any share of rows, and in
/// any row tile that says its phase. R and NR as in gemm.h; kTiles: most of a block. `epilogue`: (v, n, filter, h, w).
/// `next`: what will be read after this, or null.
template <int R, int NR, int kTiles, class Shape, class TA, class TB, class TC, class First, class Last, class Phase,
          class Epilogue>
void convWinograd(const Shape &s, const TA *in, const TB *weights, TC *out, float *scratch, First firstRow,
                  Last lastRow, Phase phase, Epilogue epilogue, const void *next = nullptr) {
  using V = Vec<float, (kLanes<float> <= NR ? kLanes<float> : NR)>;
  constexpr int vectors = NR / kLanesOf<V>;
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups, panels = (filters + NR - 1) / NR;
  const int64_t columns = (s.outWidth + 1) / 2, pitch = winogradPitch(channels);
  const int64_t firstTile = (firstRow + phase) / 2, tileRows = (lastRow + phase + 1) / 2 - firstTile;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t g = 0; g < s.groups; ++g)
      rowTiles<kTiles>(tileRows * columns, [&](int64_t tiles, int64_t first) {
        const int64_t tileRow = firstTile + first / columns, tileColumn = first % columns;
        winogradBlockInputs(s, in + n * s.in.batch, g * channels, channels, phase, tileRow, tileColumn, tiles, scratch);
        float *const sums = scratch + kWinogradProducts * tiles * pitch;
        const TB *b = weights + g * panels * kWinogradProducts * channels * NR;
        for (int64_t p = 0; p < panels; ++p) {
          for (int64_t i = 0; i < kWinogradProducts; ++i, b += channels * NR) {
            const bool isLast = i + 1 == kWinogradProducts && p + 1 == panels && next;
            const char *ahead =
                isLast ? static_cast<const char *>(next) : reinterpret_cast<const char *>(b + channels * NR);
            rowTiles<R>(tiles, [&](int64_t rows, int64_t tile) {
              const Segment<float, TB> segment = {scratch + (i * tiles + tile) * pitch, b, channels, 1, 0};
              rankSegmentsOf<kTileSizes<R, int64_t>, vectors>(rows, &segment, 1, pitch, Fixed<1>{}, ahead, false,
                                                              reinterpret_cast<V *>(sums + (i * tiles + tile) * NR));
              ahead += channels * 64;
            });
          }
          winogradOutputs<NR>(s, sums, tiles, out, n, g * filters + p * NR, (g + 1) * filters, phase, tileRow,
                              tileColumn, firstRow, lastRow, epilogue);
        }
      });
}

} // namespace
} // namespace sinter
