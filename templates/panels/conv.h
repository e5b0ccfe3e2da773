// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution of maps and volumes as an implicit GEMM on activations in channel blocks (NHWC included): a tile of R
// output pixels by NR filters stays in registers over all taps and channels. No padded copy of the input: taps outside
// of the image are left out, or read zeros where only some pixels of a tile are at the border. Short rows of taps:
// tap_rows.h. First layers that read plain NCHW: conv_planar.h. One filter per channel: depthwise.h.
#pragma once

#include "templates/maps/pixel_tiles.h"
#include "templates/maps/rows.h"
#include "templates/panels/panel_range.h"
#include "templates/panels/point_sums.h"
#include "templates/panels/segments.h"
#include "templates/panels/store_pixels.h"
#include "templates/panels/tap_rows.h"

namespace sinter {
namespace {

/// body(offset in the input, channel, count) for runs of a group's channels that are adjacent in the input and at most
/// `limit` long.
template <class Shape, class Body>
SINTER_INLINE void channelRuns(const Shape &s, int64_t firstChannel, int64_t channels, int64_t limit, Body body) {
  int64_t place = firstChannel % s.in.block, offset = channelOffset(s.in, firstChannel);
  for (int64_t c = 0; c < channels;) {
    int64_t run = s.in.block - place < channels - c ? s.in.block - place : channels - c;
    run = run < limit ? run : limit;
    body(offset, c, run);
    c += run;
    offset += run;
    place += run;
    if (place == s.in.block) {
      place = 0;
      offset += s.in.plane - s.in.block;
    }
  }
}

/// body(offset in the input, channel, count, blocks) for a group's channels: `blocks` times `count` of them that are
/// adjacent, a plane apart.
template <class Shape, class Body>
SINTER_INLINE void channelBlocks(const Shape &s, int64_t firstChannel, int64_t channels, Body body) {
  const int64_t place = firstChannel % s.in.block;
  int64_t offset = channelOffset(s.in, firstChannel), c = 0;
  if (place != 0) {
    const int64_t room = s.in.block - place;
    c = room < channels ? room : channels;
    body(offset, int64_t(0), c, int64_t(1));
    offset += s.in.plane - place;
  }
  const int64_t blocks = (channels - c) / s.in.block;
  if (blocks > 0)
    body(offset, c, int64_t(s.in.block), blocks);
  c += blocks * s.in.block;
  if (c < channels)
    body(offset + blocks * s.in.plane, c, channels - c, int64_t(1));
}

/// How a convolution's filters lie in panels of NR, of V's lanes.
template <int NR, class TA>
struct FilterPanels {
  using E = AccumulatorOf<TA>;
  using V = Vec<E, (kLanes<E> <= NR ? kLanes<E> : NR)>;
  static_assert(NR % kLanesOf<V> == 0, "a panel is whole vectors");
  static constexpr int vectors = NR / kLanesOf<V>;
  int64_t channels, filters; // of one group
  int64_t count, size;       // of its panels

  template <class Shape>
  SINTER_INLINE_MEMBER constexpr explicit FilterPanels(const Shape &s)
      : channels(s.channels / s.groups), filters(s.filters / s.groups), count((filters + NR - 1) / NR),
        size(tapRows(s) * s.kernelW * channels * NR) {}
};

/// Adds up one tile: `rows` <= R pixels from w on of output row h (rows.h), running on into the next rows where they
/// end.
///
/// A pixel's sum is the same in every row tile and share of rows, to the last bit. Tiles along a row are: what they
/// leave out, and what they read in either way, follows from the columns and from the pixel's own row. Where tiles run
/// on, other pixels come with it in other row tiles: then all taps are read in one way, and none is left out because
/// the tile's rows do not meet it.
template <int R, TileSizes kSizes, int NV, class V, class Shape, class TA, class TB>
SINTER_INLINE void convTile(const Shape &s, const TA *in, const TB *weights, int64_t firstChannel, int64_t channels,
                            int64_t rows, int64_t h, int64_t w, bool contiguous, Ahead ahead, V *sums) {
  constexpr int lanes = kLanesOf<V>;
  bool more = false;
  SegmentList<kSizes, NV, V, Segment<TA, TB>, 64, Fixed<1>> list(rows, s.strideW * s.in.pixel, {}, ahead, &more, sums);
  SegmentList<kSizes, NV, V, GatheredSegment<TA, TB, R>, 16, Fixed<1>> gathered(rows, 0, {}, ahead, &more, sums);
  const bool runsOn = !contiguous && s.outWidth < R;

  const WindowStart top = windowStart(s, h); // of the first pixel
  const int64_t left = w * s.strideW;
  WindowStart starts[R];
  int64_t x[R];
  for (int64_t i = 0; i < rows; ++i) {
    starts[i] = windowStart(s, h);
    x[i] = w * s.strideW;
    if (++w == s.outWidth && !contiguous) {
      w = 0;
      ++h;
    }
  }
  for (int64_t tapRow = 0; tapRow < tapRows(s); ++tapRow) {
    const int64_t row = metRow(s, top, tapRow);
    if (row < 0 && !runsOn)
      continue;
    for (int64_t kw = 0; kw < s.kernelW; ++kw) {
      int64_t dx;
      if (!tapColumn(s, kw, dx))
        continue;
      const TB *b = weights + (tapRow * s.kernelW + kw) * channels * NV * lanes;
      if (runsOn) {
        if ((s.outWidth - 1) * s.strideW + dx < 0 || dx >= s.width) // meets no column
          continue;
      } else if (contiguous || (left + dx >= 0 && left + (rows - 1) * s.strideW + dx < s.width)) {
        const TA *a = in + row + (left + dx) * s.in.pixel;
        channelBlocks(s, firstChannel, channels, [&](int64_t offset, int64_t c, int64_t run, int64_t blocks) {
          list.next() = {a + offset, b + c * NV * lanes, run, blocks, s.in.plane};
        });
        continue;
      }
      PixelRows<R, TA> pixels;
      int inside = 0;
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t met = runsOn ? metRow(s, starts[i], tapRow) : row;
        if (met < 0 || x[i] + dx < 0 || x[i] + dx >= s.width)
          continue;
        pixels.set(i, in + met + (x[i] + dx) * s.in.pixel);
        ++inside;
      }
      if (inside == 0 && !runsOn)
        continue;
      channelBlocks(s, firstChannel, channels, [&](int64_t offset, int64_t c, int64_t run, int64_t blocks) {
        const TB *first = b + c * NV * lanes;
        if (run <= kZeroRun)
          return pixels.fill(gathered.next(), offset, first, run, blocks, s.in.plane);
        for (int64_t block = 0; block < blocks; ++block, offset += s.in.plane, first += run * NV * lanes) {
          const int64_t whole = run / kZeroRun, rest = run % kZeroRun;
          pixels.fill(gathered.next(), offset, first, kZeroRun, whole, kZeroRun);
          if (rest > 0)
            pixels.fill(gathered.next(), offset + run - rest, first + (run - rest) * NV * lanes, rest, 1, 0);
        }
      });
    }
  }
  list.flush();
  gathered.flush();
  if (!more)
    for (int64_t i = 0; i < rows * NV; ++i)
      sums[i] = V{};
}

/// The same by rows of taps: `pixels` of output row h, from w on. What is left out follows from the pixels' own row and
/// columns.
template <int kPixels, int NV, class V, class Shape, class TA, class TB>
SINTER_INLINE void tapRowTile(const Shape &s, const TA *in, const TB *weights, int64_t firstChannel, int64_t channels,
                              int64_t pixels, int64_t h, int64_t w, Ahead ahead, V *sums) {
  using Form = TapRowForm<int(Shape::kernelW), int(Shape::strideW), int(Shape::dilationW)>;
  constexpr int64_t vectors = NV * kLanesOf<V>;
  const int64_t pitch = channels * vectors;
  const TapRowTile tile = tapRowTileAt<Shape>(w, pixels);
  TapRowList<TapRowTiles<Shape, kPixels>, NV, V, Form, TA, TB> list(tile, s.in.pixel, pitch, ahead, sums);
  const WindowStart top = windowStart(s, h);
  const int64_t column = w * s.strideW - s.padLeft + tile.left;
  for (int64_t tapRow = 0; tapRow < tapRows(s); ++tapRow)
    if (const int64_t row = metRow(s, top, tapRow); row >= 0)
      channelBlocks(s, firstChannel, channels, [&](int64_t offset, int64_t c, int64_t run, int64_t blocks) {
        list.add({in + row + column * s.in.pixel + offset, weights + tapRow * s.kernelW * pitch + c * vectors, run,
                  blocks, s.in.plane});
      });
  list.flush();
  if (!list.more)
    for (int64_t i = 0; i < pixels * NV; ++i)
      sums[i] = V{};
}

/// A second-level cache that machines with such vectors have, or more.
constexpr int64_t kCacheBytes = SINTER_VECTOR_BYTES == 64 ? 1 << 20 : 512 << 10;

/// How many of `rows` output rows meet all `panels` of weights, of `size` elements each, before the next ones. So many
/// that their input stays in the cache and is read from memory once: where weights are few, and where the whole input
/// would not stay while a panel goes over it. Then weights are read again for each such part, which is less than the
/// input for each panel as long as a panel is smaller than a part.
template <class TA, class TB, class Shape>
SINTER_INLINE constexpr int64_t tileRowsOf(const Shape &s, int64_t rows, int64_t panels, int64_t size) {
  const int64_t read = s.strideH < s.kernelH ? s.strideH : s.kernelH;
  int64_t rowBytes = read * s.width * (s.channels / s.groups) * int64_t(sizeof(TA)) + 1;
  if constexpr (kHasSlices<Shape>)
    rowBytes *= s.strideD < s.kernelD ? s.strideD : s.kernelD;
  const int64_t panelBytes = size * int64_t(sizeof(TB));
  const bool hasFew = panels * panelBytes <= (256 << 10);
  const bool isSplit = hasFew || (rows * rowBytes > kCacheBytes / 4 * 3 && panelBytes < kCacheBytes / 4);
  const int64_t whole = kCacheBytes / 3 / rowBytes; // beside two panels, and what is written
  const int64_t fitting = hasFew ? (128 << 10) / rowBytes + 1 : whole > 1 ? whole : 1;
  return isSplit && fitting < rows ? fitting : rows;
}
/// Whether all that splits the rows First to Last into tiles is known.
template <class Shape, class First, class Last>
constexpr bool kStaticSplit = kStaticShape<Shape> && kFixed<First> >= 0 && kFixed<Last> >= 0;
/// Whether tiles run on over the ends of rows. Sums that are kept are of pixels at equal distances.
template <int R, bool kIsCostly, class TA, class First, class Last, class Shape>
SINTER_INLINE constexpr bool runsOnOver(const Shape &s) {
  if constexpr (mayKeepSums<kIsCostly, TA, Shape>())
    return isContiguous(s) && (kStaticSplit<Shape, First, Last> || s.outWidth < R);
  else if constexpr (sumsPoints<TA, Shape>())
    return isContiguous(s);
  else
    return isContiguous(s) || s.outWidth < R;
}
/// The sizes of tiles into which conv splits the rows from First to Last.
template <int R, int NR, bool kIsCostly, class TA, class TB, class Shape, class First, class Last>
constexpr TileSizes convTileSizes() {
  if constexpr (kStaticSplit<Shape, First, Last>) {
    constexpr Shape s{};
    constexpr FilterPanels<NR, TA> panels(s);
    constexpr int64_t rows = kFixed<Last> - kFixed<First>, width = s.outWidth;
    if (!runsOnOver<R, kIsCostly, TA, First, Last>(s))
      return tileSizes(width, R);
    const int64_t tileRows = tileRowsOf<TA, TB>(s, rows, panels.count, panels.size);
    return tileSizes(tileRows * width, R) | (tileRows > 0 ? tileSizes(rows % tileRows * width, R) : 0);
  } else if constexpr (mayKeepSums<kIsCostly, TA, Shape>()) {
    constexpr bool rowsFollow = Shape::strideH * Shape::in.row == Shape::outWidth * Shape::strideW * Shape::in.pixel;
    return Shape::outWidth < R && rowsFollow ? kTileSizes<R, int64_t> : tileSizes(Shape::outWidth, R);
  } else {
    return kTileSizes<R, int64_t>;
  }
}

/// `in`, `out`: as s.in and s.out say. `weights`: packed [group][panel][tap][channel][filter in panel] with this NR,
/// zeros behind a group's last filter. Only output rows firstRow .. lastRow - 1 (Fixed or int64_t): the row tiles of a
/// fused or a shared computation, numbered as in rows.h. `epilogue` as in atRow. `next`: what will be read after this,
/// or null. `range`: which panels. No scratch; no alignment beyond the elements'. R and NR as in gemm.h. With several
/// groups, channels and filters per group are any number where blocks allow it: a block of `in` may hold channels of
/// two groups. An input that is spread out is computed phase by phase, without its zeros.
template <int R, int NR, bool kIsCostly = false, class Shape, class TA, class TB, class TC, class First, class Last,
          class Epilogue, class Range = AllPanels>
void conv(const Shape &s, const TA *in, const TB *weights, TC *out, First firstRow, Last lastRow, Epilogue epilogue,
          const void *next = nullptr, Range range = {}) {
  if constexpr (kHasSpread<Shape> && !kHasPhase<Shape>) {
    for (int64_t phase = 0; phase < s.spreadW && phase < s.outWidth; ++phase)
      conv<R, NR, kIsCostly>(ColumnPhase<Shape>(s, phase), in, weights, out + phase * s.out.pixel, firstRow, lastRow,
                             epilogue, next, range);
    return;
  }
  using Panels = FilterPanels<NR, TA>;
  using V = typename Panels::V;
  constexpr TileSizes sizes = convTileSizes<R, NR, kIsCostly, TA, TB, Shape, First, Last>();
  const Panels panels(s);
  constexpr int tapRowTiles = tapRowPixels<Panels::vectors, TA, Shape>();
  const bool contiguous = isContiguous(s), isFlat = runsOnOver<R, kIsCostly, TA, First, Last>(s);
  const int64_t tileRows = tileRowsOf<TA, TB>(s, lastRow - firstRow, panels.count, panels.size);

  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t g = 0; g < s.groups; ++g)
      for (int64_t row = firstRow; row < lastRow; row += tileRows)
        for (int64_t p = range.begin(g, panels.count); p < range.end(g, panels.count); ++p) {
          const TB *panel = weights + (g * panels.count + p) * panels.size;
          const bool last = p + 1 == panels.count && g + 1 == s.groups;
          const void *after = !last ? panel + panels.size : next ? next : weights;
          const int64_t end = row + tileRows < lastRow ? row + tileRows : int64_t(lastRow);
          const auto walk = [&](auto most, bool flat, auto tile) {
            const int64_t together = tapRowTiles > 0 ? int64_t(s.kernelW) : 1; // steps that ask once
            const int64_t pixels = (end - row) * s.outWidth, tiles = (pixels + most - 1) / most;
            NextPanel ahead(after, together * int64_t(NR * sizeof(TB)), panels.size / NR / together, tiles);
            pixelTiles<int(decltype(most)::value)>(s, row, end, flat, [&](int64_t rows, int64_t h, int64_t w) {
              tile(rows, h, w, ahead.share());
              ahead.endTile();
            });
          };
          const auto walkSums = [&](auto most, bool flat, auto sumTile) {
            walk(most, flat, [&](int64_t rows, int64_t h, int64_t w, Ahead ahead) {
              V sums[decltype(most)::value * Panels::vectors];
              sumTile(rows, h, w, ahead, &sums[0]);
              storePixels<Panels::vectors>(s, &sums[0], rows, out, n, g * panels.filters + p * NR,
                                           (g + 1) * panels.filters, h, w, epilogue);
            });
          };
          const TA *image = in + n * s.in.batch;
          if constexpr (keepsSums<kIsCostly, TA, Shape, sizes>())
            walk(Fixed<R>{}, isFlat, [&](int64_t rows, int64_t h, int64_t w, Ahead ahead) {
              pointTileOf<sizes, NR, V>(
                  s, rows, p + 1 == panels.count,
                  image + channelOffset(s.in, g * panels.channels) + firstTapRow(s, h) + w * s.strideW * s.in.pixel,
                  panel, ahead, out + n * s.out.batch, n, g * panels.filters + p * NR, h, w, epilogue);
            });
          else if constexpr (sumsPoints<TA, Shape>())
            walkSums(Fixed<R>{}, isFlat, [&](int64_t rows, int64_t h, int64_t w, Ahead ahead, V *sums) {
              pointSumsOf<sizes, NR, Shape>(rows, p + 1 == panels.count,
                                            image + channelOffset(s.in, g * panels.channels) + firstTapRow(s, h) +
                                                w * s.strideW * s.in.pixel,
                                            panel, ahead, sums);
            });
          else if constexpr (tapRowTiles > 0)
            walkSums(Fixed<tapRowTiles>{}, false, [&](int64_t rows, int64_t h, int64_t w, Ahead ahead, V *sums) {
              tapRowTile<tapRowTiles, Panels::vectors>(s, image, panel, g * panels.channels, panels.channels, rows, h,
                                                       w, ahead, sums);
            });
          else
            walkSums(Fixed<R>{}, isFlat, [&](int64_t rows, int64_t h, int64_t w, Ahead ahead, V *sums) {
              convTile<R, sizes, Panels::vectors>(s, image, panel, g * panels.channels, panels.channels, rows, h, w,
                                                  contiguous, ahead, sums);
            });
        }
}

} // namespace
} // namespace sinter
