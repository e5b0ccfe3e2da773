// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution to few filters, of which a vector would be mostly empty: channels run in lanes instead, and the lanes of
// a sum are added up at its end. Sums of kFilters filters by R pixels of a row stay in registers over all taps and
// channels. Heads of segmentation and depth, images that nets make. More filters: conv.h.
#pragma once

#include "templates/panels/conv.h"

namespace sinter {
namespace {

/// Sums of a tile: kFilters by R, of V's lanes along channels, and of channels that fill no vector.
template <int kFilters, int R, class V>
struct DotSums {
  V lanes[kFilters][R];
  ElementOf<V> rest[kFilters][R];

  SINTER_INLINE_MEMBER void start() {
    SINTER_UNROLL
    for (int f = 0; f < kFilters; ++f) {
      SINTER_UNROLL
      for (int i = 0; i < R; ++i) {
        lanes[f][i] = V{};
        rest[f][i] = 0;
      }
    }
  }
  /// `count` channels of R pixels, the first at a(i), with their weights at w, those of the next filter `pitch` behind.
  template <class A, class TB>
  SINTER_INLINE_MEMBER void add(A a, const TB *w, int64_t pitch, int64_t count) {
    using E = ElementOf<V>;
    constexpr int n = kLanesOf<V>;
    int64_t c = 0;
    for (; c + n <= count; c += n) {
      V weights[kFilters];
      SINTER_UNROLL
      for (int f = 0; f < kFilters; ++f)
        weights[f] = load<V>(w + f * pitch + c);
      SINTER_UNROLL
      for (int i = 0; i < R; ++i) {
        const V x = load<V>(a(i) + c);
        SINTER_UNROLL
        for (int f = 0; f < kFilters; ++f)
          lanes[f][i] = multiplyAdd(x, weights[f], lanes[f][i]);
      }
    }
    if constexpr (n > 1)
      for (; c < count; ++c) {
        SINTER_UNROLL
        for (int i = 0; i < R; ++i) {
          const E x = convert<E>(a(i)[c]);
          SINTER_UNROLL
          for (int f = 0; f < kFilters; ++f)
            rest[f][i] = multiplyAdd(x, convert<E>(w[f * pitch + c]), rest[f][i]);
        }
      }
  }
};

/// sums[kFilters][R]: of R pixels from column w on of output row h. Taps outside of the image are left out, or read
/// zeros where some of the pixels are inside.
template <int kFilters, int R, class V, class Shape, class TA, class TB>
SINTER_INLINE void dotTile(const Shape &s, const TA *in, const TB *weights, int64_t pitch, int64_t firstChannel,
                           int64_t channels, int64_t h, int64_t w, ElementOf<V> *sums) {
  DotSums<kFilters, R, V> tile;
  tile.start();
  const WindowStart top = windowStart(s, h);
  const int64_t left = w * s.strideW;
  for (int64_t tapRow = 0; tapRow < tapRows(s); ++tapRow) {
    const int64_t row = metRow(s, top, tapRow);
    if (row < 0)
      continue;
    for (int64_t kw = 0; kw < s.kernelW; ++kw) {
      int64_t column;
      if (!tapColumn(s, kw, column))
        continue;
      const int64_t x = left + column;
      const TB *b = weights + (tapRow * s.kernelW + kw) * channels;
      if (x >= 0 && x + (R - 1) * s.strideW < s.width) {
        const TA *a = in + row + x * s.in.pixel;
        channelRuns(s, firstChannel, channels, channels, [&](int64_t offset, int64_t c, int64_t run) {
          tile.add([&](int i) { return a + offset + i * s.strideW * s.in.pixel; }, b + c, pitch, run);
        });
        continue;
      }
      PixelRows<R, TA> pixels;
      for (int i = 0; i < R; ++i)
        if (const int64_t at = x + i * s.strideW; at >= 0 && at < s.width)
          pixels.set(i, in + row + at * s.in.pixel);
      channelRuns(s, firstChannel, channels, kZeroRun, [&](int64_t offset, int64_t c, int64_t run) {
        tile.add([&](int i) { return pixels.row(i, offset); }, b + c, pitch, run);
      });
    }
  }
  SINTER_UNROLL
  for (int f = 0; f < kFilters; ++f) {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i)
      sums[f * R + i] = sum(tile.lanes[f][i]) + tile.rest[f][i];
  }
}

/// Filters that share what is read of the input.
constexpr int kDotFilters = 4;

/// As conv, but `weights` are [filter][tap][channel of its group]. R: pixels of a tile with kDotFilters filters.
/// kWidth: so many channels go by a vector. An input that is spread out is computed phase by phase, without its zeros.
template <int R, int kWidth, class Shape, class TA, class TB, class TC, class First, class Last, class Epilogue>
void convDots(const Shape &s, const TA *in, const TB *weights, TC *out, First firstRow, Last lastRow,
              Epilogue epilogue) {
  if constexpr (kHasSpread<Shape> && !kHasPhase<Shape>) {
    for (int64_t phase = 0; phase < s.spreadW && phase < s.outWidth; ++phase)
      convDots<R, kWidth>(ColumnPhase<Shape>(s, phase), in, weights, out + phase * s.out.pixel, firstRow, lastRow,
                          epilogue);
    return;
  }
  using V = Vec<AccumulatorOf<TA>, kWidth>;
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  const int64_t pitch = tapRows(s) * s.kernelW * channels;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t g = 0; g < s.groups; ++g)
      for (int64_t h = firstRow; h < lastRow; ++h)
        rowTiles<kDotFilters>(filters, [&](int64_t count, int64_t first) {
          withRows<kTileSizes<kDotFilters, int64_t>>(count, [&](auto fixed) {
            constexpr int few = int(decltype(fixed)::value),
                          most = R * kDotFilters / few < 12 ? R * kDotFilters / few : 12;
            const int64_t filter = g * filters + first;
            rowTiles<most>(s.outWidth, [&](int64_t pixels, int64_t w) {
              ElementOf<V> sums[few * most];
              withRows<kTileSizes<most, decltype(outWidthOf(s))>>(pixels, [&](auto rows) {
                constexpr int r = int(decltype(rows)::value);
                dotTile<few, r, V>(s, in + n * s.in.batch, weights + filter * pitch, pitch, g * channels, channels, h,
                                   w, &sums[0]);
              });
              for (int64_t i = 0; i < pixels; ++i)
                for (int64_t f = 0; f < few; ++f)
                  store(out + n * s.out.batch + rowOffset(s, h) + (w + i) * s.out.pixel +
                            channelOffset(s.out, filter + f),
                        atRow(s, epilogue, sums[f * pixels + i], n, filter + f, h, w + i));
            });
          });
        });
}

} // namespace
} // namespace sinter
