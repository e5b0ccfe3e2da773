// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of single taps over few channels: a tile's sums stay in registers until the epilogue has stored them.
// With few channels, writing the sums to memory and reading them back takes as long as adding them up. A costly
// epilogue needs the registers for its constants and temporaries. The code is the kernel's own, so all that a tile
// depends on must be known while compiling. conv.h takes all other convolutions, and splits the work of these, too.
//
// Where registers are few, a tile is a function of its own: compilers take the epilogue's constants out of the loops
// around it, and would keep them in registers that the sums need.
//
// Sums that go through memory from here, be it for a costly epilogue or for more channels than are added up one by one,
// were faster still, but GCC 12 then took the function for one that does not write its output (modref behind ivopts).
#pragma once

#include "templates/panels/tap_rows.h"

namespace sinter {
namespace {

/// Whether sums that stay in registers were measured to take less time. Their code is a kernel's own, and long.
#if defined(__OPTIMIZE_SIZE__)
[[maybe_unused]] constexpr bool kPaysToKeepSums = false;
#elif defined(__SSE2__)
[[maybe_unused]] constexpr bool kPaysToKeepSums = true;
#else
[[maybe_unused]] constexpr bool kPaysToKeepSums = kVectorRegisters >= 32;
#endif

/// Whether each window lies in one slice of its volume; of a map it does.
template <class Shape>
constexpr bool hasWindowsOfSlices() {
  if constexpr (!kHasSlices<Shape>)
    return true;
  else if constexpr (kStaticMember<decltype(&Shape::kernelD)> && kStaticMember<decltype(&Shape::padFront)>)
    return Shape::kernelD == 1 && Shape::padFront == 0;
  else
    return false;
}

/// Whether a convolution is one of single taps without padding, on channels of which whole blocks are a group's, or
/// that are part of one. All of it must be known, heights need not be.
template <class Shape>
constexpr bool hasKnownPoints() {
  if constexpr (kStaticRows<Shape> && !kHasSpread<Shape> && hasWindowsOfSlices<Shape>() && kPaysToKeepSums) {
    if constexpr (kStaticMember<decltype(&Shape::channels)> && kStaticMember<decltype(&Shape::filters)> &&
                  kStaticMember<decltype(&Shape::groups)> && kStaticMember<decltype(&Shape::kernelH)> &&
                  kStaticMember<decltype(&Shape::padTop)> && kStaticMember<decltype(&Shape::in)> &&
                  kStaticMember<decltype(&Shape::out)>) {
      constexpr int64_t channels = Shape::channels / Shape::groups;
      if constexpr (channels > 0)
        return Shape::kernelH == 1 && Shape::kernelW == 1 && Shape::padTop == 0 && Shape::padLeft == 0 &&
               (channels % Shape::in.block == 0 || Shape::in.block % channels == 0);
    }
  }
  return false;
}
/// Whether the sums of such a convolution may stay in registers: of not more channels than are added up one by one, and
/// of filters that lie beside each other.
template <bool kIsCostly, class TA, class Shape>
constexpr bool mayKeepSums() {
  if constexpr (!kIsCostly && hasKnownPoints<Shape>() && (kSame<TA, float> || kSame<TA, double>))
    return Shape::channels / Shape::groups <= kSumDepth && restOfFilters<Shape>(kLanes<AccumulatorOf<TA>>) >= 0;
  else
    return false;
}
/// Whether they do: there is code for each size of tiles, so for as many as an even split makes.
template <bool kIsCostly, class TA, class Shape, TileSizes kSizes>
constexpr bool keepsSums() {
  constexpr TileSizes others = kSizes & (kSizes - 1);
  return mayKeepSums<kIsCostly, TA, Shape>() && kSizes != 0 && (others & (others - 1)) == 0;
}

/// An epilogue that calls functions as exp, whose copies for each vector of a tile would be long.
[[maybe_unused]] constexpr bool kCostlyEpilogue = true;

/// The narrowest vector that has `elements` of V's lanes.
template <class V, int64_t elements, int lanes = 4>
constexpr int narrowLanesFor() {
  if constexpr (lanes < elements && lanes < kLanesOf<V>)
    return narrowLanesFor<V, elements, lanes * 2>();
  else
    return lanes < kLanesOf<V> ? lanes : kLanesOf<V>;
}

/// The sums of R pixels by NV vectors and, unless kRest is 0, a narrower one with kRest filters behind these: there are
/// machines that add up narrow vectors in less time.
template <int R, int NV, int64_t kRest, class V>
struct PointSums {
  using Narrow = Vec<ElementOf<V>, narrowLanesFor<V, kRest>()>;
  Sums<(NV > 0 ? R : 1), (NV > 0 ? NV : 1), V> whole;
  Sums<(kRest > 0 ? R : 1), 1, Narrow> rest;

  SINTER_INLINE_MEMBER void start() {
    if constexpr (NV > 0)
      whole.start();
    if constexpr (kRest > 0)
      rest.start();
  }
  template <bool kAsks = true, class A, class TB>
  SINTER_INLINE_MEMBER void add(A a, const TB *b, const char *ahead) {
    if constexpr (NV > 0)
      whole.template add<kAsks>(a, b, ahead);
    if constexpr (kRest > 0)
      rest.template add<kAsks && NV == 0>(a, b + NV * kLanesOf<V>, ahead);
  }
};

/// R output pixels from column w of row h on, running on into the next rows, by NV vectors of filters and kRest filters
/// behind these. `a`: the first channel of the first pixel; `b`: rows of kColumns weights.
template <int R, int NV, int64_t kRest, int kColumns, class V, class Shape, class TA, class TB, class TC,
          class Epilogue>
SINTER_INLINE void pointTile(const Shape &s, const TA *a, const TB *b, Ahead ahead, TC *out, int64_t n, int64_t filter,
                             int64_t h, int64_t w, Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int64_t channels = Shape::channels / Shape::groups, pixel = Shape::strideW * Shape::in.pixel,
                    run = channels < Shape::in.block ? channels : int64_t(Shape::in.block),
                    together = run % 4 == 0   ? 4
                               : run % 2 == 0 ? 2
                                              : 1;
  constexpr int64_t kAhead = kAheadOfStep<kColumns, TB>;
  using Tile = PointSums<R, NV, kRest, V>;
  Tile sums;
  int64_t left = run;
  sums.start();
  // One loop, since sums would change registers between two.
  for (int64_t c = 0; c < channels; c += together, b += together * kColumns, ahead.at += together * ahead.step) {
    if constexpr (kTakesLanes<V> && together == RowVectors<R, V>::steps) {
      RowVectors<R, V> rows;
      rows.read([&](int r) SINTER_INLINE_LAMBDA { return a + r * pixel; });
      int at = 0;
      rows.forSteps([&](auto element, auto q) SINTER_INLINE_LAMBDA {
        sums.template add<kAsksAt<q, kAhead>>(element, b + at * kColumns, ahead.at + at * kAhead);
        ++at;
      });
    } else {
      SINTER_UNROLL
      for (int q = 0; q < together; ++q)
        sums.add([&](int r) SINTER_INLINE_LAMBDA { return a[r * pixel + q]; }, b + q * kColumns, ahead.at + q * kAhead);
    }
    a += together;
    left -= together;
    if (left == 0) {
      left = run;
      a += Shape::in.plane - run;
    }
  }
  const auto storePixel = [&](int i) SINTER_INLINE_LAMBDA {
    TC *at = out + rowOffset(s, h) + w * Shape::out.pixel;
    const auto write = [&](auto v, int64_t f) SINTER_INLINE_LAMBDA {
      store(at + channelOffset(s.out, f), atRow(s, epilogue, v, n, f, h, w));
    };
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      write(sums.whole.at[i][j], filter + j * lanes);
    if constexpr (kRest > 0) {
      constexpr int64_t narrow = kLanesOf<typename Tile::Narrow>;
      const int64_t first = filter + NV * lanes;
      if constexpr (kRest == narrow) {
        write(sums.rest.at[i][0], first);
      } else {
        ElementOf<V> last[narrow];
        store(&last[0], sums.rest.at[i][0]);
        forRest<ElementOf<V>, narrow, kRest>(first, first + kRest, [&](auto tag, int64_t f) SINTER_INLINE_LAMBDA {
          write(load<typename decltype(tag)::Type>(&last[f - first]), f);
        });
      }
    }
    if (++w == Shape::outWidth) {
      w = 0;
      ++h;
    }
  };
  SINTER_UNROLL
  for (int i = 0; i < R; ++i)
    storePixel(i);
}

/// The same as a function of its own.
template <int R, int NV, int64_t kRest, int kColumns, class V, class Shape, class TA, class TB, class TC,
          class Epilogue>
SINTER_NOINLINE void pointTileApart(const Shape &s, const TA *a, const TB *b, Ahead ahead, TC *out, int64_t n,
                                    int64_t filter, int64_t h, int64_t w, Epilogue &epilogue) {
  pointTile<R, NV, kRest, kColumns, V>(s, a, b, ahead, out, n, filter, h, w, epilogue);
}

/// The same for a run-time number of pixels, one of kSizes, and panel `panel` of a group, from filter `filter` on, of
/// `count` panels of NR filters: of the last one only vectors that have filters.
template <TileSizes kSizes, int NR, class V, class Shape, class TA, class TB, class TC, class Epilogue>
SINTER_INLINE void pointTileOf(const Shape &s, int64_t pixels, bool isLast, const TA *a, const TB *b, Ahead ahead,
                               TC *out, int64_t n, int64_t filter, int64_t h, int64_t w, Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int64_t filters = Shape::filters / Shape::groups, behind = filters % NR;
  withRows<kSizes>(pixels, [&](auto fixed) SINTER_INLINE_LAMBDA {
    constexpr int R = int(decltype(fixed)::value);
    const auto run = [&](auto vectors, auto rest) SINTER_INLINE_LAMBDA {
      constexpr int NV = int(decltype(vectors)::value);
      constexpr int64_t kRest = decltype(rest)::value;
      if constexpr (kVectorRegisters >= 32)
        pointTile<R, NV, kRest, NR, V>(s, a, b, ahead, out, n, filter, h, w, epilogue);
      else
        pointTileApart<R, NV, kRest, NR, V>(s, a, b, ahead, out, n, filter, h, w, epilogue);
    };
    if constexpr (behind > 0)
      if (filters < NR || isLast)
        return run(Fixed<behind / lanes>{}, Fixed<behind % lanes>{});
    if constexpr (filters >= NR)
      run(Fixed<NR / lanes>{}, Fixed<0>{});
  });
}

} // namespace
} // namespace sinter
