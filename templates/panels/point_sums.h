// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of single taps over any number of channels, which go through memory to the epilogue: to a costly one, which
// needs the registers for itself, or because more channels are added up than one by one. Of lists of segments
// (segments.h), which take any window, those of so few steps took more time to write than to add up. What a tile
// depends on is known while compiling, and one copy serves all kernels of a model whose channels lie alike. pointwise.h
// keeps the sums of short epilogues; conv.h splits the work of both.
#pragma once

#include "templates/panels/pointwise.h"

namespace sinter {
namespace {

/// How the channels of a group lie: `run` of them beside each other, those of two such runs `plane` apart, and two
/// outputs' `pixel` apart.
template <int64_t kChannels, int64_t kRun, int64_t kPlane, int64_t kPixel>
struct PointForm {
  static constexpr int64_t channels = kChannels, run = kRun, plane = kPlane, pixel = kPixel;
};
template <class Shape>
struct PointFormOf {
  static constexpr int64_t channels = Shape::channels / Shape::groups,
                           run = channels < Shape::in.block ? channels : int64_t(Shape::in.block);
  using Type =
      PointForm<channels, run, channels == run ? 0 : int64_t(Shape::in.plane), Shape::strideW * Shape::in.pixel>;
};

/// Whether a convolution's sums are made here, if they do not stay in registers. Where registers are many the segments'
/// tiles are so large that lists cost little.
template <class TA, class Shape>
constexpr bool sumsPoints() {
  using E = AccumulatorOf<TA>;
  if constexpr (hasKnownPoints<Shape>() && kVectorRegisters < 32 && kIsFloat<E>)
    return !kIsHalf<TA> || PointFormOf<Shape>::run % kLanes<E> == 0;
  else
    return false;
}

/// out[R][kPitch] = the sums of R pixels by NV vectors of filters, of panels of kColumns. `a`: the first channel of the
/// first pixel.
template <int R, int NV, int kPitch, int kColumns, class V, class Form, class TA, class TB>
SINTER_NOINLINE void pointSums(const TA *a, const TB *b, Ahead ahead, V *out) {
  constexpr bool readsVectors = kReadsVectors<V, TA, Fixed<1>> && Form::run % kLanesOf<V> == 0;
  constexpr int64_t together = readsVectors ? kLanesOf<V> : Form::run % 4 == 0 ? 4 : Form::run % 2 == 0 ? 2 : 1;
  constexpr int64_t kAhead = kAheadOfStep<kColumns, TB>, depth = kSumDepth / together * together;
  static_assert(depth == kSumDepth, "sums end where those of segments do");
  int64_t left = Form::run;
  for (int64_t c = 0; c < Form::channels;) {
    const int64_t stop = Form::channels - c < depth ? Form::channels : c + depth;
    const bool more = c > 0;
    Sums<R, NV, V> sums;
    sums.start();
    for (; c < stop; c += together, b += together * kColumns, ahead.at += together * ahead.step) {
      if constexpr (readsVectors) {
        RowVectors<R, V> rows;
        rows.read([&](int r) SINTER_INLINE_LAMBDA { return a + r * Form::pixel; });
        const TB *from = b;
        const char *line = ahead.at;
        rows.forSteps([&](auto element, auto q) SINTER_INLINE_LAMBDA {
          sums.template add<kAsksAt<q, kAhead>>(element, from, line);
          from += kColumns;
          line += kAhead;
        });
      } else {
        SINTER_UNROLL
        for (int q = 0; q < together; ++q)
          sums.add([&](int r) SINTER_INLINE_LAMBDA { return a[r * Form::pixel + q]; }, b + q * kColumns,
                   ahead.at + q * kAhead);
      }
      a += together;
      left -= together;
      if (left == 0) {
        left = Form::run;
        a += Form::plane - Form::run;
      }
    }
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j)
        out[i * kPitch + j] = more ? add(out[i * kPitch + j], sums.at[i][j]) : sums.at[i][j];
    }
  }
}

/// The same for a run-time number of pixels, one of kSizes; of a group's last panel only the vectors that have filters.
template <TileSizes kSizes, int NR, class Shape, class V, class TA, class TB>
SINTER_INLINE void pointSumsOf(int64_t pixels, [[maybe_unused]] bool isLast, const TA *a, const TB *b, Ahead ahead,
                               V *sums) {
  using Form = typename PointFormOf<Shape>::Type;
  constexpr int lanes = kLanesOf<V>, whole = NR / lanes;
  constexpr int64_t filters = Shape::filters / Shape::groups;
  constexpr int ofLast = int(((filters + lanes - 1) / lanes - 1) % whole + 1);
  withRows<kSizes>(pixels, [&](auto fixed) SINTER_INLINE_LAMBDA {
    constexpr int R = int(decltype(fixed)::value);
    if constexpr (ofLast < whole)
      if (isLast)
        return pointSums<R, ofLast, whole, NR, V, Form>(a, b, ahead, sums);
    if constexpr (filters >= NR || ofLast == whole)
      pointSums<R, whole, whole, NR, V, Form>(a, b, ahead, sums);
  });
}

} // namespace
} // namespace sinter
