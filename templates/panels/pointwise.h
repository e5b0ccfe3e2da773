// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of single taps over few channels: a tile's sums stay in registers until the epilogue has stored them.
// With few channels, writing the sums to memory and reading them back takes as long as adding them up. Sums of a costly
// epilogue do go through memory, but those of a tile only: its constants and temporaries need the registers. The code
// is the kernel's own, so all that a tile depends on must be known while compiling. conv.h takes all other
// convolutions, and splits the work of these, too.
#pragma once

#include "templates/panels/tap_rows.h"

namespace sinter {
namespace {

/// Whether the sums of a convolution may stay in registers: single taps without padding, on channels of which whole
/// blocks are a group's, or that are part of one. Filters that lie beside each other. All of it must be known, heights
/// need not be. As many channels as are added up one by one, or any number where the last panel is filled up with many
/// zeros, which other tiles multiply. Where registers are few, compilers move sums about between steps, which costs
/// more than it saves.
template <int NR, class TA, class Shape>
constexpr bool mayKeepSums() {
#if !defined(__OPTIMIZE_SIZE__)
  if constexpr (kStaticRows<Shape> && !kHasSpread<Shape> && !kHasSlices<Shape> && kVectorRegisters >= 32 &&
                (kSame<TA, float> || kSame<TA, double>)) {
    if constexpr (kStaticMember<decltype(&Shape::channels)> && kStaticMember<decltype(&Shape::filters)> &&
                  kStaticMember<decltype(&Shape::groups)> && kStaticMember<decltype(&Shape::kernelH)> &&
                  kStaticMember<decltype(&Shape::padTop)> && kStaticMember<decltype(&Shape::in)> &&
                  kStaticMember<decltype(&Shape::out)>) {
      constexpr int64_t channels = Shape::channels / Shape::groups, filters = Shape::filters / Shape::groups;
      constexpr int64_t filledUp = (filters + NR - 1) / NR * NR;
      if constexpr (channels > 0)
        return Shape::kernelH == 1 && Shape::kernelW == 1 && Shape::padTop == 0 && Shape::padLeft == 0 &&
               (channels % Shape::in.block == 0 || Shape::in.block % channels == 0) &&
               (channels <= kSumDepth || (filledUp - filters) * 16 >= filledUp) &&
               restOfFilters<Shape>(kLanes<AccumulatorOf<TA>>) >= 0;
    }
  }
#endif
  return false;
}
/// Whether they do: there is code for each size of tiles, so for as many as an even split makes.
template <int NR, class TA, class Shape, TileSizes kSizes>
constexpr bool keepsSums() {
  constexpr TileSizes others = kSizes & (kSizes - 1);
  return mayKeepSums<NR, TA, Shape>() && kSizes != 0 && (others & (others - 1)) == 0;
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
  template <class A, class TB>
  SINTER_INLINE_MEMBER void add(A a, const TB *b, const char *ahead) {
    if constexpr (NV > 0)
      whole.add(a, b, ahead);
    if constexpr (kRest > 0)
      rest.add(a, b + NV * kLanesOf<V>, ahead);
  }
  /// memory = the sums, or += where there are `more`.
  SINTER_INLINE_MEMBER void end(PointSums &memory, bool more) const {
    if constexpr (NV > 0)
      whole.end(&memory.whole.at[0][0], more);
    if constexpr (kRest > 0)
      rest.end(&memory.rest.at[0][0], more);
  }
};

/// R output pixels from column w of row h on, running on into the next rows, by NV vectors of filters and kRest filters
/// behind these. `a`: the first channel of the first pixel; `b`: rows of kColumns weights.
template <int R, int NV, int64_t kRest, int kColumns, bool kIsCostly, class V, class Shape, class TA, class TB,
          class TC, class Epilogue>
SINTER_INLINE void pointTile(const Shape &s, const TA *a, const TB *b, const char *ahead, TC *out, int64_t n,
                             int64_t filter, int64_t h, int64_t w, Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int64_t channels = Shape::channels / Shape::groups, pixel = Shape::strideW * Shape::in.pixel,
                    run = channels < Shape::in.block ? channels : int64_t(Shape::in.block),
                    together = run % 4 == 0   ? 4
                               : run % 2 == 0 ? 2
                                              : 1;
  using Tile = PointSums<R, NV, kRest, V>;
  constexpr bool inMemory = kIsCostly || channels > kSumDepth;
  Tile sums, memory;
  int64_t left = run;
  for (int64_t c = 0; c < channels;) {
    const int64_t stop = channels - c < kSumDepth ? channels : c + kSumDepth;
    const bool more = c > 0;
    sums.start();
    // One loop, since sums would change registers between two.
    for (; c < stop; c += together, b += together * kColumns, ahead += together * 64) {
      if constexpr (kTakesLanes<V> && together == RowVectors<R, V>::steps) {
        RowVectors<R, V> rows;
        rows.read([&](int r) SINTER_INLINE_LAMBDA { return a + r * pixel; });
        int q = 0;
        rows.forSteps([&](auto element) SINTER_INLINE_LAMBDA {
          sums.add(element, b + q * kColumns, ahead + q * 64);
          ++q;
        });
      } else {
        SINTER_UNROLL
        for (int q = 0; q < together; ++q)
          sums.add([&](int r) SINTER_INLINE_LAMBDA { return a[r * pixel + q]; }, b + q * kColumns, ahead + q * 64);
      }
      a += together;
      left -= together;
      if (left == 0) {
        left = run;
        a += Shape::in.plane - run;
      }
    }
    if constexpr (inMemory)
      sums.end(memory, more);
  }
  const auto storePixel = [&](const Tile &tile, int i) SINTER_INLINE_LAMBDA {
    TC *at = out + rowOffset(s, h) + w * Shape::out.pixel;
    const auto write = [&](auto v, int64_t f) SINTER_INLINE_LAMBDA {
      store(at + channelOffset(s.out, f), atRow(s, epilogue, v, n, f, h, w));
    };
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      write(tile.whole.at[i][j], filter + j * lanes);
    if constexpr (kRest > 0) {
      constexpr int64_t narrow = kLanesOf<typename Tile::Narrow>;
      const int64_t first = filter + NV * lanes;
      if constexpr (kRest == narrow) {
        write(tile.rest.at[i][0], first);
      } else {
        ElementOf<V> last[narrow];
        store(&last[0], tile.rest.at[i][0]);
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
  if constexpr (inMemory) {
    for (int i = 0; i < R; ++i)
      storePixel(memory, i);
  } else {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i)
      storePixel(sums, i);
  }
}

/// The same for a run-time number of pixels, one of kSizes, and panel `panel` of a group, from filter `filter` on, of
/// `count` panels of NR filters: of the last one only vectors that have filters.
template <TileSizes kSizes, int NR, bool kIsCostly, class V, class Shape, class TA, class TB, class TC, class Epilogue>
SINTER_INLINE void pointTileOf(const Shape &s, int64_t pixels, bool isLast, const TA *a, const TB *b, const char *ahead,
                               TC *out, int64_t n, int64_t filter, int64_t h, int64_t w, Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int64_t filters = Shape::filters / Shape::groups, behind = filters % NR;
  withRows<kSizes>(pixels, [&](auto fixed) SINTER_INLINE_LAMBDA {
    constexpr int R = int(decltype(fixed)::value);
    if constexpr (behind > 0)
      if (filters < NR || isLast)
        return pointTile<R, int(behind / lanes), behind % lanes, NR, kIsCostly, V>(s, a, b, ahead, out, n, filter, h, w,
                                                                                   epilogue);
    if constexpr (filters >= NR)
      pointTile<R, NR / lanes, 0, NR, kIsCostly, V>(s, a, b, ahead, out, n, filter, h, w, epilogue);
  });
}

} // namespace
} // namespace sinter
