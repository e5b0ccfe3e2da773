// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two-dimensional convolution of bytes as an implicit GEMM on channels-last maps: a tile of R output pixels by NR
// filters stays in registers over all taps. There is no padding here: the compiler has the producer write into a padded
// map, filled with the zero point, so that no tile meets a border. One filter per channel: int_depthwise.h.
#pragma once

#include "templates/dot4/int_tile.h"
#include "templates/maps/pixel_tiles.h"

namespace sinter {
namespace {

/// What one output reads, with sizes that are constants of the shape's type as such.
template <bool kMerged, class Shape>
SINTER_INLINE constexpr auto runsOf([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticShape<Shape>) {
    constexpr int64_t channels = Shape::channels / Shape::groups, taps = Shape::kernelW;
    return ByteRuns<Fixed<Shape::kernelH>, Fixed<kMerged ? 1 : taps>, Fixed<kMerged ? taps * channels : channels>,
                    Fixed<Shape::dilationH * Shape::in.row>, Fixed<Shape::dilationW * Shape::in.pixel>>{};
  } else {
    const int64_t channels = s.channels / s.groups, taps = s.kernelW;
    return ByteRuns<int64_t, int64_t, int64_t, int64_t, int64_t>{s.kernelH, kMerged ? 1 : taps,
                                                                 kMerged ? taps * channels : channels,
                                                                 s.dilationH * s.in.row, s.dilationW * s.in.pixel};
  }
}
template <class Shape>
SINTER_INLINE auto pixelStep([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticShape<Shape>)
    return Fixed<Shape::strideW * Shape::in.pixel>{};
  else
    return int64_t(s.strideW * s.in.pixel);
}
/// The filters of a group's last panel, 0 where all panels are full.
template <int NR, class Shape>
SINTER_INLINE auto restOf([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticShape<Shape>)
    return Fixed<Shape::filters / Shape::groups % NR>{};
  else
    return int64_t(s.filters / s.groups % NR);
}
/// The sizes of tiles into which intConv splits the rows from First to Last.
template <int R, int kTogether, class Shape, class First, class Last>
constexpr TileSizes intConvTiles() {
  if constexpr (kStaticShape<Shape> && kFixed<First> >= 0 && kFixed<Last> >= 0) {
    constexpr Shape s{};
    return tileSizes((isContiguous(s) ? kFixed<Last> - kFixed<First> : 1) * s.outWidth, R, kTogether);
  } else {
    return kTileSizes<R, int64_t, kTogether>;
  }
}

/// Sums of `count` pixels from (h, w) on with a panel of filters from `first` on, `pitch` apart, go through the
/// epilogue to the map. `left`: the filters of the group from there on; `rest`: those of its last panel.
template <int NR, class V, class Shape, class Rest, class TC, class Epilogue>
SINTER_INLINE void storePixels(const Shape &s, const int32_t *sums, int64_t pitch, int64_t count, int64_t left,
                               Rest rest, TC *out, int64_t n, int64_t first, int64_t h, int64_t w,
                               const Epilogue &epilogue) {
  const Epilogue values = epilogue; // nearby: what is written could lie where the caller's is
  const auto write = [&](auto filters) {
    for (int64_t i = 0; i < count; ++i) {
      TC *pixel = out + n * s.out.batch + h * s.out.row + w * s.out.pixel + first;
      storeEach<V>(sums + i * pitch, filters, pixel, [&](auto v, int64_t j) { return values(v, n, first + j, h, w); });
      if (++w == s.outWidth) {
        w = 0;
        ++h;
      }
    }
  };
  if (left >= NR)
    write(Fixed<NR>{});
  else
    write(rest);
}

/// Bytes of a panel that is widened to words before all its tiles: -1 where that is known with the program's sizes
/// only, 0 where it is not widened.
template <int R, int NR, class X, bool kMerged, class Shape>
constexpr int64_t bytesToWiden() {
  if constexpr (!widensPanels<X>(0, 4)) {
    return 0;
  } else if constexpr (kStaticShape<Shape>) {
    constexpr Shape s{};
    constexpr int64_t bytes = panelBytes<X, NR>(runsOf<kMerged>(s).perColumn(X::together));
    return widensPanels<X>(bytes, s.outHeight * s.outWidth / R) ? bytes : 0;
  } else {
    return -1;
  }
}

/// X says how bytes of `in` are taken. `in`, `out`: channels-last, as s.in and s.out say (one block of all channels);
/// s.padTop and s.padLeft are 0. `weights`: [group][panel][run][four][filter in panel][4], zeros behind a group's last
/// filter (or of eights: InEights<X>); a run is a tap's channels of one group, or with kMerged (dilation 1, pixels
/// adjacent, one group) a whole row of taps. Output rows firstRow .. lastRow - 1. `epilogue(v, n, c, h, w)`. No
/// scratch, no alignment.
template <int R, int NR, bool kMerged, class X, class Shape, class TA, class TC, class First, class Last,
          class Epilogue>
void intConv(const Shape &s, const TA *in, const int8_t *weights, TC *out, First firstRow, Last lastRow,
             Epilogue epilogue) {
  using V = IntPanelVector<NR>;
  constexpr int vectors = NR / kLanesOf<V>;
  static_assert(NR % kLanesOf<V> == 0 && sizeof(TA) == 1, "a panel is whole vectors");
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  const auto runs = runsOf<kMerged>(s);
  const int64_t panels = (filters + NR - 1) / NR, pitch = panelBytes<X, NR>(runs.perColumn(X::together));
  const auto rest = restOf<NR>(s);
  const bool contiguous = isContiguous(s);
  const auto stride = pixelStep(s);
  constexpr int64_t wide = bytesToWiden<R, NR, X, kMerged, Shape>();
  const bool isWide = wide > 0 || (wide < 0 && widensPanels<X>(pitch, s.outHeight * s.outWidth / R));
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t g = 0; g < s.groups; ++g)
      for (int64_t p = 0; p < panels; ++p) {
        const int8_t *panel = weights + (g * panels + p) * pitch;
        const int64_t first = g * filters + p * NR;
        V words[wide < 0 ? kMostWordBytes / sizeof(V) : wide > 0 ? wide * 2 / sizeof(V) : 1];
        if (isWide)
          widenPanel<NR>(panel, pitch, &words[0]);
        pixelTiles<R, X::rowsTogether>(s, firstRow, lastRow, contiguous, [&](int64_t rows, int64_t h, int64_t w) {
          V sums[R * vectors];
          const auto *from = reinterpret_cast<const uint8_t *>(in) + n * s.in.batch + h * s.strideH * s.in.row +
                             w * stride + g * channels;
          withRows<intConvTiles<R, X::rowsTogether, Shape, First, Last>()>(rows, [&](auto fixed) {
            constexpr int r = int(decltype(fixed)::value);
            if constexpr (wide != 0)
              if (isWide) {
                byteTile<r, vectors, 1, ByWords<X>>(from, stride, runs, reinterpret_cast<const int8_t *>(&words[0]),
                                                    2 * pitch, &sums[0]);
                return;
              }
            if constexpr (wide <= 0)
              byteTile<r, vectors, 1, X>(from, stride, runs, panel, pitch, &sums[0]);
          });
          storePixels<NR, V>(s, reinterpret_cast<const int32_t *>(&sums[0]), NR, rows, filters - p * NR, rest, out, n,
                             first, h, w, epilogue);
        });
      }
}

} // namespace
} // namespace sinter
