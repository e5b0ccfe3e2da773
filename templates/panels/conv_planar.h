// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution that reads plain NCHW and writes any layout: first layers (three channels), where channels are too few
// for blocks. The same register tile as conv.h; a segment of the sum is one row of taps of one channel.
#pragma once

#include "templates/maps/column_as_row.h"
#include "templates/panels/planar_row.h"

namespace sinter {
namespace {

/// How far apart the taps of a row are, as a Fixed where that is 1 by the shape: what most first layers have.
template <class Shape>
SINTER_INLINE auto tapStep([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticWindows<Shape>) {
    if constexpr (Shape::dilationW * Shape::in.pixel == 1)
      return Fixed<1>{};
    else
      return int64_t(Shape::dilationW * Shape::in.pixel);
  } else {
    return int64_t(s.dilationW * s.in.pixel);
  }
}

/// Adds up one tile within output row h, whatever its taps. At the left and right border a row of input is first
/// copied, with its zeros, in parts where it is longer than the copies' buffer.
template <int R, TileSizes kSizes, int NV, class V, class Shape, class TA, class TB>
SINTER_INLINE void planarTile(const Shape &s, const TA *in, const TB *weights, int64_t firstChannel, int64_t channels,
                              int64_t rows, int64_t h, int64_t w, Ahead ahead, V *sums) {
  constexpr int lanes = kLanesOf<V>;
  bool more = false;
  auto step = tapStep(s);
  using Step = decltype(step);
  SegmentList<kSizes, NV, V, Segment<TA, TB>, 64, Step> list(rows, s.strideW * s.in.pixel, step, ahead, &more, sums);
  const WindowStart top = windowStart(s, h);
  const int64_t x = w * s.strideW - s.padLeft;
  const int64_t pixels = (rows - 1) * s.strideW + 1;
  const bool inside = x >= 0 && x + pixels + (s.kernelW - 1) * s.dilationW <= s.width;
  // Taps of which the pixels fit into the buffer. Where not even one's do, each is R pixels, some of which lie outside.
  const int64_t part = pixels > kBorderCopies ? 0 : (kBorderCopies - pixels) / s.dilationW + 1;
  TA copies[kBorderCopies];
  int64_t used = 0;
  if (!inside && part > 0) {
    list.stride = s.strideW;
    if constexpr (kFixed<Step> < 0)
      list.step = s.dilationW;
  }

  const auto tapRow = [&](const TA *a, const TB *b) {
    for (int64_t kw = 0, taps; kw < s.kernelW && part > 0; kw += taps) {
      taps = part < s.kernelW - kw ? part : s.kernelW - kw;
      const int64_t span = pixels + (taps - 1) * s.dilationW;
      if (used + span > kBorderCopies || list.size == 64) {
        list.flush();
        used = 0;
      }
      copyOverBorder(s, a, x + kw * s.dilationW, span, &copies[used]);
      list.next() = {&copies[used], b + kw * NV * lanes, taps, 1, 0};
      used += span;
    }
    for (int64_t kw = 0; kw < s.kernelW && part == 0; ++kw) {
      PixelRows<R, TA> pixels;
      for (int64_t i = 0; i < rows; ++i)
        if (const int64_t at = x + i * s.strideW + kw * s.dilationW; at >= 0 && at < s.width)
          pixels.set(i, a + at * s.in.pixel);
      GatheredSegment<TA, TB, R> segment;
      pixels.fill(segment, 0, b + kw * NV * lanes, 1, 1, 0);
      rankSegmentsOf<kSizes, NV>(rows, &segment, 1, 0, Fixed<1>{}, ahead, more, sums);
      more = true;
    }
  };
  for (int64_t c = 0; c < channels; ++c)
    tapRowsInside(s, top, [&](int64_t offset, int64_t first, int64_t count) {
      const TA *a = in + channelOffset(s.in, firstChannel + c) + offset;
      const TB *b = weights + (c * tapRows(s) + first) * s.kernelW * NV * lanes;
      const int64_t apart = s.dilationH * s.in.row;
      if (inside)
        list.next() = {a + x * s.in.pixel, b, s.kernelW, count, apart};
      else
        for (int64_t i = 0; i < count; ++i)
          tapRow(a + i * apart, b + i * s.kernelW * NV * lanes);
    });
  list.flush();
  if (!more)
    for (int64_t i = 0; i < rows * NV; ++i)
      sums[i] = V{};
}

/// Output rows firstRow .. lastRow - 1, of which `columns` (Fixed or int64_t) from firstColumn on.
template <int R, int NR, class Shape, class TA, class TB, class TC, class Columns, class Epilogue>
SINTER_INLINE void planarRows(const Shape &s, const TA *in, const TB *weights, TC *out, int64_t firstRow,
                              int64_t lastRow, int64_t firstColumn, Columns columns, Epilogue epilogue,
                              const void *next) {
  using Panels = FilterPanels<NR, TA>;
  const Panels panels(s);
  constexpr int tapRowTiles = hasShortTapRows<R, Shape>() ? tapRowPixels<Panels::vectors, TA, Shape>() : 0;
  constexpr int worthwhile = 10; // sums: of few channels, a tile's begin and end take as long as what is between
  constexpr bool isByTapRows = tapRowTiles * Panels::vectors >= worthwhile &&
                               !takesTapLanes<R, Panels::vectors, typename Panels::V, Shape>() &&
                               kFixed<Columns> == kFixed<decltype(outWidthOf(s))>;
  const void *const behind = next ? next : weights;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t g = 0; g < s.groups; ++g) {
      const TA *image = in + n * s.in.batch;
      const auto storeTile = [&](const auto *sums, int64_t rows, int64_t p, int64_t h, int64_t w) {
        storePixels<Panels::vectors>(s, sums, rows, out, n, g * panels.filters + p * NR, (g + 1) * panels.filters, h, w,
                                     epilogue);
      };
      if constexpr (hasShortTapRows<R, Shape>()) {
        const Ahead ahead = {static_cast<const char *>(behind), 64};
        for (int64_t h = firstRow; h < lastRow; ++h) {
          const auto store = [&](const auto *sums, int64_t rows, int64_t p, int64_t w) {
            storeTile(sums, rows, p, h, w);
          };
          if constexpr (isByTapRows)
            planarTapRows<tapRowTiles>(s, panels, image, weights, g, h, ahead, store);
          else
            planarRow<R>(s, firstColumn, columns, panels, image, weights, g, h, ahead, store);
        }
      } else {
        // Where the cache does not hold all weights, a panel meets several rows while it is there.
        const bool hasFew = panels.count * panels.size * int64_t(sizeof(TB)) <= kCacheBytes / 2;
        const int64_t tileRows = hasFew ? 1 : tileRowsOf<TA, TB>(s, lastRow - firstRow, panels.count, panels.size);
        for (int64_t row = firstRow; row < lastRow; row += tileRows)
          for (int64_t p = 0; p < panels.count; ++p) {
            const TB *panel = weights + (g * panels.count + p) * panels.size;
            const int64_t end = row + tileRows < lastRow ? row + tileRows : lastRow;
            const bool isLast = p + 1 == panels.count && g + 1 == s.groups;
            NextPanel ahead(isLast ? behind : panel + panels.size, NR * sizeof(TB), panels.size / NR,
                            (end - row) * ((columns + R - 1) / R));
            for (int64_t h = row; h < end; ++h)
              rowTiles<R>(columns, [&](int64_t rows, int64_t first) {
                typename Panels::V sums[R * Panels::vectors];
                planarTile<R, kTileSizes<R, Columns>, Panels::vectors>(s, image, panel, g * panels.channels,
                                                                       panels.channels, rows, h, firstColumn + first,
                                                                       ahead.share(), &sums[0]);
                storeTile(&sums[0], rows, p, h, firstColumn + first);
                ahead.endTile();
              });
          }
      }
    }
}

/// As conv, but `in` is any layout read channel by channel (NCHW: block 1), and `weights` are packed
/// [group][panel][channel][tap][filter in panel].
template <int R, int NR, class Shape, class TA, class TB, class TC, class First, class Last, class Epilogue>
void convPlanar(const Shape &s, const TA *in, const TB *weights, TC *out, First firstRow, Last lastRow,
                Epilogue epilogue, const void *next = nullptr) {
  if constexpr (kIsColumn<Shape>) {
    const auto turned = [&](auto v, int64_t n, int64_t c, int64_t h, int64_t w) { return epilogue(v, n, c, w, h); };
    if constexpr (kFixed<First> >= 0 && kFixed<Last> >= 0)
      planarRows<R, NR>(ColumnAsRow<Shape>(s), in, weights, out, 0, 1, firstRow, Fixed<kFixed<Last> - kFixed<First>>{},
                        turned, next);
    else
      planarRows<R, NR>(ColumnAsRow<Shape>(s), in, weights, out, 0, 1, firstRow, int64_t(lastRow - firstRow), turned,
                        next);
  } else {
    planarRows<R, NR>(s, in, weights, out, firstRow, lastRow, 0, outWidthOf(s), epilogue, next);
  }
}

} // namespace
} // namespace sinter
