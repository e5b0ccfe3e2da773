// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution (one filter per channel) on activations in channel blocks, NHWC included: lanes run along
// channels, the weights of a vector of channels stay in registers, and the window slides along a row so that each input
// is loaded once per row of taps. Wide and dilated windows go tap by tap over several outputs. In small groups of as
// many channels as filters the same: each lane takes its group's channels one after the other, from the vector that has
// them all. Of M times as many filters as channels, each M-th filter is such a convolution; their results are woven.
#pragma once

#include "templates/loops/lanes.h"
#include "templates/loops/numbers.h"
#include "templates/maps/rows.h"
#include "templates/panels/tap_rows.h"
#include "templates/panels/weave.h"

namespace sinter {
namespace {

template <int G, int c, class V, int... kLane>
SINTER_INLINE V channelInGroups(V v, Numbers<kLane...>) {
  return __builtin_shufflevector(v, v, (kLane / G * G + c)...);
}
/// Channel c of the group that each lane's filter is of. `in`: the channel that has the first lane's number, `place` in
/// its group, 0 where lanes hold whole groups.
template <int G, int c, class V, class TA>
SINTER_INLINE V loadOfGroup(const TA *in, [[maybe_unused]] int64_t place) {
  if constexpr (G == 1) {
    return load<V>(in);
  } else if constexpr (kLanesOf<V> % G == 0) {
    return channelInGroups<G, c>(load<V>(in), typename NumbersBelow<kLanesOf<V>>::Type{});
  } else {
    TA lanes[kLanesOf<V>];
    for (int i = 0; i < kLanesOf<V>; ++i)
      lanes[i] = in[(place + i) / G * G + c - place];
    return load<V>(&lanes[0]);
  }
}
/// Adds `taps` rows of taps to kPixels outputs of a row, whose windows have kLeft columns before the image, and kRight
/// behind it, which are left out. `in`: the first column inside. KW, SW: taps and stride in w, dilation 1.
template <int KW, int SW, int G, int kLeft, int kRight, int kPixels, class V, class TA, class TB>
SINTER_INLINE void depthwiseRun(const TA *in, int64_t row, int64_t pixel, int64_t place, const TB *weights,
                                int64_t tapPitch, int64_t taps, V (&acc)[kPixels]) {
  constexpr int columns = (kPixels - 1) * SW + KW;
  for (int64_t kh = 0; kh < taps; ++kh)
    eachFixed<G>([&](auto fixed) SINTER_INLINE_LAMBDA {
      constexpr int c = int(decltype(fixed)::value);
      V w[KW];
      SINTER_UNROLL
      for (int kw = 0; kw < KW; ++kw)
        w[kw] = load<V>(weights + ((kh * KW + kw) * G + c) * tapPitch);
      SINTER_UNROLL
      for (int x = kLeft; x < columns - kRight; ++x) {
        const V value = loadOfGroup<G, c, V>(in + kh * row + (x - kLeft) * pixel, place);
        SINTER_UNROLL
        for (int kw = 0; kw < KW; ++kw)
          if ((x - kw) % SW == 0 && x - kw >= 0 && (x - kw) / SW < kPixels)
            acc[(x - kw) / SW] = multiplyAdd(value, w[kw], acc[(x - kw) / SW]);
      }
    });
}

/// kPixels outputs of a row, whose windows begin at column x and the s.strideW-th after it, tap by tap. kIsInside: all
/// of their columns lie in the image.
template <bool kIsInside, int G, int kPixels, class V, class Shape, class TA, class TB>
SINTER_INLINE void depthwiseTaps(const Shape &s, const TA *in, WindowStart top, int64_t x, int64_t place,
                                 const TB *weights, int64_t tapPitch, V (&acc)[kPixels]) {
  tapRowsInside(s, top, [&](int64_t offset, int64_t tapRow, int64_t count) {
    for (int64_t i = 0; i < count; ++i, ++tapRow, offset += s.dilationH * s.in.row)
      for (int64_t kw = 0; kw < s.kernelW; ++kw) {
        const int64_t column = x + kw * s.dilationW;
        eachFixed<G>([&](auto fixed) SINTER_INLINE_LAMBDA {
          constexpr int c = int(decltype(fixed)::value);
          const V w = load<V>(weights + ((tapRow * s.kernelW + kw) * G + c) * tapPitch);
          SINTER_UNROLL
          for (int p = 0; p < kPixels; ++p)
            if (const int64_t at = column + p * s.strideW; kIsInside || (at >= 0 && at < s.width))
              acc[p] = multiplyAdd(loadOfGroup<G, c, V>(in + offset + at * s.in.pixel, place), w, acc[p]);
        });
      }
  });
}

/// One output: borders, and whatever has no run of its own. Several sums, so that additions need not wait for each
/// other.
template <int G, class V, class Shape, class TA, class TB>
SINTER_INLINE V depthwisePixel(const Shape &s, const TA *in, WindowStart top, int64_t x, int64_t place,
                               const TB *weights, int64_t tapPitch) {
  constexpr int many = G < 4 ? G : 4;
  V acc[many] = {};
  Taps columns = {0, s.kernelW};
  if constexpr (!kHasSpread<Shape>)
    columns = tapsInside(x, s.kernelW, s.dilationW, s.width);
  tapRowsInside(s, top, [&](int64_t offset, int64_t tapRow, int64_t count) {
    for (int64_t i = 0; i < count; ++i, ++tapRow, offset += s.dilationH * s.in.row)
      for (int64_t kw = columns.first; kw < columns.last; ++kw) {
        int64_t column = x + kw * s.dilationW;
        if constexpr (kHasSpread<Shape>)
          if ((column = elementAt(column, s.spreadW, s.width)) < 0)
            continue;
        eachFixed<G>([&](auto fixed) SINTER_INLINE_LAMBDA {
          constexpr int c = int(decltype(fixed)::value);
          acc[c % many] = multiplyAdd(loadOfGroup<G, c, V>(in + offset + column * s.in.pixel, place),
                                      load<V>(weights + ((tapRow * s.kernelW + kw) * G + c) * tapPitch), acc[c % many]);
        });
      }
  });
  for (int i = 1; i < many; ++i)
    acc[0] = add(acc[0], acc[i]);
  return acc[0];
}

/// Pixels of a run in the registers that there are, whose window slides, or whose taps come one by one.
template <int G, class V>
constexpr int kDepthwisePixels = SINTER_VECTOR_BYTES == 64 || kLanesOf<V> == 1 || G > 1 ? 8 : 4;
template <class V>
constexpr int kTapPixels = kVectorRegisters >= 16 || kLanesOf<V> == 1 ? 8 : 4;

/// Whether rows are split into runs while compiling, borders too: their widths are known.
template <int KW, int SW, int kPixels, class Shape>
constexpr bool hasKnownRuns() {
  if constexpr (KW > 0 && kStaticRows<Shape> && !kHasSpread<Shape>)
    return Shape::outWidth > 0 && TapRowTiles<Shape, kPixels>::kinds().count <= TapRowKinds::kMost;
  else
    return false;
}

/// One row of outputs for V's lanes of channels, from c on, and their M times as many filters. `weights`: those of c,
/// taps `tapPitch` apart.
template <int KW, int SW, int G, int M, class V, class Shape, class TA, class TB, class TC, class Epilogue>
SINTER_INLINE void depthwiseRow(const Shape &s, const TA *in, const TB *weights, int64_t tapPitch, TC *out, int64_t n,
                                int64_t c, int64_t h, Epilogue &epilogue) {
  constexpr int pixels = kDepthwisePixels<G, V>;
  const WindowStart top = windowStart(s, h);
  const int64_t place = c % G;
  int64_t filters[M], offsets[M];
  for (int m = 0; m < M; ++m) {
    filters[m] = kLanesOf<V> > G ? c * M + m * kLanesOf<V> : (c - place) * M + m * G + place;
    offsets[m] = rowOffset(s, h) + channelOffset(s.out, filters[m]);
  }
  /// Sums of k outputs from w on. `sum(weights, V (&)[k])`
  const auto compute = [&](auto count, int64_t w, auto sum) SINTER_INLINE_LAMBDA {
    constexpr int k = int(decltype(count)::value);
    V acc[M][k] = {};
    SINTER_UNROLL
    for (int m = 0; m < M; ++m)
      sum(weights + m * s.channels, acc[m]);
    SINTER_UNROLL
    for (int i = 0; i < k; ++i) {
      V woven[M];
      SINTER_UNROLL
      for (int m = 0; m < M; ++m)
        woven[m] = acc[m][i];
      weave<G>(woven);
      SINTER_UNROLL
      for (int m = 0; m < M; ++m)
        store(out + offsets[m] + (w + i) * s.out.pixel, atRow(s, epilogue, woven[m], n, filters[m], h, w + i));
    }
  };
  /// Outputs from w on; their windows begin at column x.
  const auto run = [&](auto count, auto left, auto right, int64_t w, int64_t x) SINTER_INLINE_LAMBDA {
    constexpr int k = int(decltype(count)::value), before = int(decltype(left)::value);
    compute(count, w, [&](const TB *some, V(&acc)[k]) SINTER_INLINE_LAMBDA {
      tapRowsInside(s, top, [&](int64_t offset, int64_t tapRow, int64_t rows) {
        depthwiseRun<KW, SW, G, before, int(decltype(right)::value)>(
            in + offset + (x + before) * s.in.pixel, s.dilationH * s.in.row, s.in.pixel, place,
            some + tapRow * KW * G * tapPitch, tapPitch, rows, acc);
      });
    });
  };
  if constexpr (hasKnownRuns<KW, SW, pixels, Shape>()) {
    using Runs = TapRowTiles<Shape, pixels>;
    for (int64_t i = 0; i < Runs::count; ++i) {
      const int64_t w = Runs::begin(i);
      withTapRowTile<Runs, 0>(
          Runs::at(i), [&](auto count, auto left, auto right) { run(count, left, right, w, w * SW - Shape::padLeft); });
    }
  } else {
    int64_t w = 0;
    while (w < s.outWidth) {
      const int64_t x = w * s.strideW - s.padLeft;
      const auto isInside = [&](int k) {
        return x >= 0 && x + (k - 1) * s.strideW + (s.kernelW - 1) * s.dilationW < s.width;
      };
      if constexpr (KW > 0) {
        const auto runInside = [&](auto count) {
          constexpr int k = int(decltype(count)::value);
          if (w + k > s.outWidth || !isInside(k))
            return false;
          run(count, Fixed<0>{}, Fixed<0>{}, w, x);
          w += k;
          return true;
        };
        if (runInside(Fixed<pixels>{}) || runInside(Fixed<pixels / 2>{}))
          continue;
        if constexpr (G > 1)
          if (runInside(Fixed<2>{}))
            continue;
      } else if constexpr (!kHasSpread<Shape>) {
        const auto tapRun = [&](auto count) {
          constexpr int k = int(decltype(count)::value);
          if (w + k > s.outWidth)
            return false;
          compute(count, w, [&](const TB *some, V(&acc)[k]) {
            isInside(k) ? depthwiseTaps<true, G>(s, in, top, x, place, some, tapPitch, acc)
                        : depthwiseTaps<false, G>(s, in, top, x, place, some, tapPitch, acc);
          });
          w += k;
          return true;
        };
        if (tapRun(Fixed<kTapPixels<V>>{}) || tapRun(Fixed<kTapPixels<V> / 2>{}) || tapRun(Fixed<2>{}))
          continue;
      }
      compute(Fixed<1>{}, w,
              [&](const TB *some, V(&acc)[1]) { acc[0] = depthwisePixel<G, V>(s, in, top, x, place, some, tapPitch); });
      ++w;
    }
  }
}

/// Channels of each block of the input, where all have as many and it is known; else -1.
template <class Shape>
constexpr int64_t channelsOfBlock() {
  if constexpr (kStaticMember<decltype(&Shape::channels)> && kStaticMember<decltype(&Shape::in)>)
    return Shape::channels % Shape::in.block == 0 ? Shape::in.block : -1;
  else
    return -1;
}

/// Whether a vector's taps begin at so few places of a first-level cache's ways, of 4 KB and about eight of them, that
/// the cache does not hold them all: then they are copied beside each other for the rows of a block.
template <int M, int G, class E, class Shape, class TB>
constexpr bool tapsMeetInCache() {
  if constexpr (kStaticMember<decltype(&Shape::kernelH)> && kStaticMember<decltype(&Shape::kernelW)> && M == 1 &&
                !kHasSlices<Shape> && kLanes<E> > 1 && channelsOfBlock<Shape>() == kLanes<E>) {
    constexpr int64_t page = 4096, ways = 8, pitch = Shape::channels * int64_t(sizeof(TB)), odd = pitch & -pitch,
                      places = odd < page ? page / odd : 1, taps = Shape::kernelH * Shape::kernelW * G;
    return taps > ways * places && taps <= 128;
  } else {
    return false;
  }
}

/// M times as many filters as channels, in groups of G channels. `weights`: [row of taps][kernelW][channel of the
/// group][which of M][filters of all groups, G of each]: filter (g * M + m) * G + i is the one of number g * G + i
/// among the m-th. Blocks of `in` and `out` hold whole groups, and are of one size or hold all. KW and SW: the kernel's
/// width and stride where these are worth code of their own (dilation 1), else 0. Output rows firstRow .. lastRow - 1,
/// numbered as in rows.h. `epilogue` as in atRow. No scratch; no alignment beyond the elements'.
template <int KW, int SW, int G = 1, int M = 1, class Shape, class TA, class TB, class TC, class Epilogue>
void depthwise(const Shape &s, const TA *in, const TB *weights, TC *out, int64_t firstRow, int64_t lastRow,
               Epilogue epilogue) {
  using E = AccumulatorOf<TA>;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t block = 0; block < s.channels; block += s.in.block) {
      const int64_t end = block + s.in.block < s.channels ? block + s.in.block : int64_t(s.channels);
      if constexpr (tapsMeetInCache<M, G, E, Shape, TB>()) {
        using V = Vec<E, kLanes<E>>;
        constexpr int64_t taps = Shape::kernelH * Shape::kernelW * G;
        TB copied[taps * kLanes<E>];
        for (int64_t tap = 0; tap < taps; ++tap)
          memcpy(&copied[tap * kLanes<E>], weights + tap * s.channels + block, kLanes<E> * sizeof(TB));
        for (int64_t h = firstRow; h < lastRow; ++h)
          depthwiseRow<KW, SW, G, M, V>(s, in + n * s.in.batch + channelOffset(s.in, block), &copied[0], kLanes<E>,
                                        out + n * s.out.batch, n, block, h, epilogue);
        continue;
      }
      for (int64_t h = firstRow; h < lastRow; ++h)
        forLanes<E, kLanes<E>, channelsOfBlock<Shape>()>(block, end, [&](auto tag, int64_t c) {
          using V = typename decltype(tag)::Type;
          const TA *image = in + n * s.in.batch + channelOffset(s.in, c);
          depthwiseRow<KW, SW, G, M, V>(s, image, weights + c, s.channels * M, out + n * s.out.batch, n, c, h,
                                        epilogue);
        });
    }
}

} // namespace
} // namespace sinter
