// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution that reads plain NCHW and writes any layout: first layers (three channels), where channels are too few
// for blocks. The same register tile as conv.h; a segment of the sum is one row of taps of one channel.
#pragma once

#include "templates/panels/conv.h"

namespace sinter {
namespace {

/// How far apart the taps of a row are, as a Fixed where that is 1 by the shape: what most first layers have.
template <class Shape>
SINTER_INLINE auto tapStep([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticShape<Shape>) {
    constexpr Shape fixed{};
    if constexpr (fixed.dilationW * fixed.in.pixel == 1)
      return Fixed<1>{};
    else
      return int64_t(fixed.dilationW * fixed.in.pixel);
  } else {
    return int64_t(s.dilationW * s.in.pixel);
  }
}

/// copy[i] = the element x + i of a row, zero outside of it.
template <class Shape, class TA>
SINTER_INLINE void copyOverBorder(const Shape &s, const TA *row, int64_t x, int64_t span, TA *copy) {
  const int64_t before = -x > span ? span
                         : x < 0   ? -x
                                   : 0,
                room = s.width - x,
                end = room < before ? before
                      : room < span ? room
                                    : span;
  for (int64_t i = 0; i < before; ++i)
    copy[i] = TA{};
  for (int64_t i = before; i < end; ++i)
    copy[i] = row[(x + i) * s.in.pixel];
  for (int64_t i = end; i < span; ++i)
    copy[i] = TA{};
}

/// Adds up one tile within output row h. At the left and right border a row of input is first copied, with its zeros.
template <int R, TileSizes kSizes, int NV, class V, class Shape, class TA, class TB>
SINTER_INLINE void planarTile(const Shape &s, const TA *in, const TB *weights, int64_t firstChannel, int64_t channels,
                              int64_t rows, int64_t h, int64_t w, const char *ahead, V *sums) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int64_t kCopies = 512;
  bool more = false;
  auto step = tapStep(s);
  using Step = decltype(step);
  SegmentList<kSizes, NV, V, Segment<TA, TB>, 64, Step> list(rows, s.strideW * s.in.pixel, step, ahead, &more, sums);
  const WindowStart top = windowStart(s, h);
  const int64_t x = w * s.strideW - s.padLeft;
  const int64_t span = (rows - 1) * s.strideW + (s.kernelW - 1) * s.dilationW + 1;
  const bool inside = x >= 0 && x + span <= s.width;
  // A row longer than the copy buffer goes tap by tap, each of which is R pixels of which some lie outside.
  const bool copied = !inside && span <= kCopies;
  TA copies[kCopies];
  int64_t used = 0;
  if (copied) {
    list.stride = s.strideW;
    if constexpr (kFixed<Step> < 0)
      list.step = s.dilationW;
  }

  const auto tapRow = [&](const TA *a, const TB *b) {
    if (copied) {
      if (used + span > kCopies || list.size == 64) {
        list.flush();
        used = 0;
      }
      copyOverBorder(s, a, x, span, &copies[used]);
      list.next() = {&copies[used], b, s.kernelW, 1, 0};
      used += span;
      return;
    }
    for (int64_t kw = 0; kw < s.kernelW; ++kw) {
      GatheredSegment<TA, TB, R> segment;
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t at = x + i * s.strideW + kw * s.dilationW;
        segment.rows[i] = at >= 0 && at < s.width ? a + at * s.in.pixel : &ZeroRow<TA>::values[0];
      }
      segment.b = b + kw * NV * lanes;
      segment.k = 1;
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

/// As conv, but `in` is any layout read channel by channel (NCHW: block 1), and `weights` are packed
/// [group][panel][channel][tap][filter in panel].
template <int R, int NR, class Shape, class TA, class TB, class TC, class Epilogue>
void convPlanar(const Shape &s, const TA *in, const TB *weights, TC *out, int64_t firstRow, int64_t lastRow,
                Epilogue epilogue, const void *next = nullptr) {
  using Panels = FilterPanels<NR, TA>;
  using Width = decltype(outWidthOf(s));
  const Panels panels(s);
  const char *ahead = static_cast<const char *>(next ? next : weights);
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t g = 0; g < s.groups; ++g)
      for (int64_t h = firstRow; h < lastRow; ++h)
        for (int64_t p = 0; p < panels.count; ++p)
          rowTiles<R>(s.outWidth, [&](int64_t rows, int64_t w) {
            typename Panels::V sums[R * Panels::vectors];
            planarTile<R, kTileSizes<R, Width>, Panels::vectors>(
                s, in + n * s.in.batch, weights + (g * panels.count + p) * panels.size, g * panels.channels,
                panels.channels, rows, h, w, ahead, &sums[0]);
            storePixels<Panels::vectors>(s, &sums[0], rows, out, n, g * panels.filters + p * NR,
                                         (g + 1) * panels.filters, h, w, epilogue);
          });
}

} // namespace
} // namespace sinter
