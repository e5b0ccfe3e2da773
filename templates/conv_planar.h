// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution that reads plain NCHW and writes any layout: first layers (three channels), where channels are too few
// for blocks. The same register tile as conv.h; a segment of the sum is one row of taps of one channel.
#pragma once

#include "templates/conv.h"

namespace sinter {
namespace {

/// Adds up one tile within output row h. At the left and right border a row of input is first copied, with its zeros.
template <int R, int NV, class V, class Shape, class TA, class TB>
SINTER_INLINE void planarTile(const Shape &s, const TA *in, const TB *weights, int64_t firstChannel, int64_t channels,
                              int64_t h, int64_t w, const char *ahead, V *sums) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int64_t kCopies = 512;
  bool more = false;
  SegmentList<R, NV, V, Segment<TA, TB>, 64> list{{},    0,   s.strideW * s.in.pixel, s.dilationW * s.in.pixel, ahead,
                                                  &more, sums};
  const int64_t y = h * s.strideH - s.padTop, x = w * s.strideW - s.padLeft;
  const int64_t span = (R - 1) * s.strideW + (s.kernelW - 1) * s.dilationW + 1;
  const bool inside = x >= 0 && x + span <= s.width;
  // A row longer than the copy buffer goes tap by tap, each of which is R pixels of which some lie outside.
  const bool copied = !inside && span <= kCopies;
  TA copies[kCopies];
  int64_t used = 0;
  if (copied)
    list.stride = s.strideW, list.step = s.dilationW;

  for (int64_t c = 0; c < channels; ++c)
    for (int64_t kh = 0; kh < s.kernelH; ++kh) {
      const int64_t row = y + kh * s.dilationH;
      if (row < 0 || row >= s.height)
        continue;
      const TA *a = in + channelOffset(s.in, firstChannel + c) + row * s.in.row;
      const TB *b = weights + (c * s.kernelH + kh) * s.kernelW * NV * lanes;
      if (inside) {
        list.next() = {a + x * s.in.pixel, b, s.kernelW};
      } else if (copied) {
        if (used + span > kCopies) {
          list.flush();
          used = 0;
        }
        for (int64_t i = 0; i < span; ++i)
          copies[used + i] = x + i >= 0 && x + i < s.width ? a[(x + i) * s.in.pixel] : TA{};
        list.next() = {&copies[used], b, s.kernelW};
        if (list.size == 64) {
          list.flush();
          used = 0;
        } else {
          used += span;
        }
      } else {
        for (int64_t kw = 0; kw < s.kernelW; ++kw) {
          GatheredSegment<TA, TB, R> segment;
          for (int i = 0; i < R; ++i) {
            const int64_t at = x + i * s.strideW + kw * s.dilationW;
            segment.rows[i] = at >= 0 && at < s.width ? a + at * s.in.pixel : &ZeroRow<TA>::values[0];
          }
          segment.b = b + kw * NV * lanes;
          segment.k = 1;
          rankSegments<R, NV>(&segment, 1, 0, 1, ahead, more, sums);
          more = true;
        }
      }
    }
  list.flush();
  if (!more)
    for (int i = 0; i < R * NV; ++i)
      sums[i] = V{};
}

/// As conv, but `in` is any layout read channel by channel (NCHW: block 1), and `weights` are packed by convPackPlanar.
template <int R, int NR, class Shape, class TA, class TB, class TC, class Epilogue>
void convPlanar(const Shape &s, const TA *in, const TB *weights, TC *out, int64_t firstRow, int64_t lastRow,
                Epilogue epilogue, const void *next = nullptr) {
  using E = AccumulatorOf<TA>;
  using V = Vec<E, (kLanes<E> <= NR ? kLanes<E> : NR)>;
  static_assert(NR % kLanesOf<V> == 0, "a panel is whole vectors");
  constexpr int vectors = NR / kLanesOf<V>;
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  const int64_t panels = (filters + NR - 1) / NR;
  const int64_t panelSize = s.kernelH * s.kernelW * channels * NR;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t g = 0; g < s.groups; ++g)
      for (int64_t h = firstRow; h < lastRow; ++h)
        for (int64_t p = 0; p < panels; ++p)
          rowTiles<R>(outWidthOf(s), [&](auto rows, int64_t w) {
            V sums[R * vectors];
            const void *ahead = next ? next : weights;
            planarTile<int(decltype(rows)::value), vectors>(s, in + n * s.in.batch,
                                                            weights + (g * panels + p) * panelSize, g * channels,
                                                            channels, h, w, static_cast<const char *>(ahead), &sums[0]);
            storePixels<vectors>(s, &sums[0], rows, out, n, g * filters + p * NR, (g + 1) * filters, h, w, epilogue);
          });
}

} // namespace
} // namespace sinter
