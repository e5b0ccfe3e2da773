// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile under GEMM and convolution: R rows by NV vectors of accumulators, rank-1 updates, and the even
// split of rows into tiles. gemm.h and conv.h are loops around these.
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/loops/lanes.h"
#include "templates/panels/next_panel.h"

namespace sinter {
namespace {

/// What sums of products are kept in: float for float and the half types, double for double, int32 for integers.
template <class T>
using AccumulatorOf = typename IfType<kSame<T, double>, double,
                                      typename IfType<kSame<T, float> || kIsHalf<T>, float, int32_t>::Type>::Type;

template <class V>
SINTER_INLINE V multiplyAdd(V a, V b, V c) {
  if constexpr (kIsFloat<V>)
    return fma(a, b, c);
  else
    return add(mul(a, b), c);
}

/// An element in the type of the sums, less its zero point.
template <class S, class T>
SINTER_INLINE S lessZero(T x, [[maybe_unused]] int64_t zero) {
  if constexpr (kIsFloat<S>)
    return convert<S>(x);
  else
    return sub(convert<S>(x), S(zero));
}

/// So many products are added up one by one; sums of so many are then added to each other. An error that grows with the
/// number of additions stays below that of the usual blocked products.
constexpr int64_t kSumDepth = 128;

/// Bytes of B that a step takes, of kColumns columns, and at most a cache line: what a step may ask for of what comes
/// next.
template <int kColumns, class TB>
constexpr int64_t kAheadOfStep = kColumns * int64_t(sizeof(TB)) < 64 ? kColumns * int64_t(sizeof(TB)) : 64;

/// A tile's sums of up to kSumDepth steps: registers within a loop over k.
template <int R, int NV, class V>
struct Sums {
  V at[R][NV];

  SINTER_INLINE_MEMBER void start() {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j)
        at[i][j] = V{};
    }
  }
  /// Adds element a(i) of row i, or a vector of it, times the row of B at b. Asks for the cache line at `ahead`,
  /// unless a step before it has.
  template <bool kAsks = true, class A, class TB>
  SINTER_INLINE_MEMBER void add(A a, const TB *b, [[maybe_unused]] const char *ahead) {
    V w[NV];
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      w[j] = load<V>(b + j * kLanesOf<V>);
    if constexpr (kAsks)
      SINTER_PREFETCH(ahead);
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      const V x = inLanes(a(i));
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j)
        at[i][j] = multiplyAdd(x, w[j], at[i][j]);
    }
  }
  template <class X>
  SINTER_INLINE_MEMBER static V inLanes(X x) {
    if constexpr (kSame<X, V>)
      return x;
    else
      return splat<V>(convert<ElementOf<V>>(x));
  }
  /// memory = the sums, or += where there are `more`.
  SINTER_INLINE_MEMBER void end(V *memory, bool more) const {
    if (more) {
      SINTER_UNROLL
      for (int i = 0; i < R; ++i) {
        SINTER_UNROLL
        for (int j = 0; j < NV; ++j)
          memory[i * NV + j] = sinter::add(memory[i * NV + j], at[i][j]);
      }
    } else {
      SINTER_UNROLL
      for (int i = 0; i < R; ++i) {
        SINTER_UNROLL
        for (int j = 0; j < NV; ++j)
          memory[i * NV + j] = at[i][j];
      }
    }
  }
};

/// Whether an element of A may be taken from a vector's lane as it is multiplied.
template <class V>
constexpr bool kTakesLanes = kHasFmaByLane && kIsFloat<V> && (kLanesOf<V> == 2 || kLanesOf<V> == 4);
/// Whether the elements of a row of A are read a vector at a time: where that saves a load for each, and halfs, which
/// one by one would take longer to make floats of than all the multiply-adds with them.
template <class V, class TA, class Step>
constexpr bool kReadsVectors = kFixed<Step> == 1 && kLanesOf<V> > 1 && (kTakesLanes<V> || kIsHalf<TA>);
/// A vector of elements of each of R rows of A.
template <int R, class V>
struct RowVectors {
  static constexpr int64_t steps = kLanesOf<V>;
  typename IfType<kTakesLanes<V>, V[R], ElementOf<V>[R][kLanesOf<V>]>::Type at;

  /// row(i): where row i's elements are.
  template <class Row>
  SINTER_INLINE_MEMBER void read(Row row) {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i)
      if constexpr (kTakesLanes<V>)
        at[i] = load<V>(row(i));
      else
        store(&at[i][0], load<V>(row(i)));
  }
  /// body(a, Fixed<q>) for one step q after the other: a(i) is row i's element as Sums::add takes it.
  template <class Body>
  SINTER_INLINE_MEMBER void forSteps(Body body) const {
    const auto one = [&](auto q) SINTER_INLINE_LAMBDA {
      body([&](int i) SINTER_INLINE_LAMBDA { return splatLane<int(decltype(q)::value)>(at[i]); }, q);
    };
    if constexpr (kTakesLanes<V>) {
      one(Fixed<0>{});
      one(Fixed<1>{});
      if constexpr (kLanesOf<V> == 4) {
        one(Fixed<2>{});
        one(Fixed<3>{});
      }
    } else {
      for (int64_t q = 0; q < steps; ++q)
        body([&](int i) SINTER_INLINE_LAMBDA { return at[i][q]; }, Fixed<0>{});
    }
  }
};

/// Whether the q-th step of a vector asks for a line, of which each step asks for kAhead bytes.
template <int64_t q, int64_t kAhead>
constexpr bool kAsksAt = 64 % kAhead != 0 || q * kAhead % 64 == 0;

/// out[R][NV] = A B for R rows of A (element p of row i: a[i * stride + p * step]) and k rows of NV vectors at b,
/// `pitch` elements apart. `ahead`: what is asked for. Not inlined
/// where used often: one copy serves all kernels of a model that have this tile, and what becomes of the sums does not
/// matter to it. What is left behind whole vectors of A has sums of its own: in those of the vectors GCC would copy
/// registers at each step.
template <int R, int NV, class V, class TA, class Stride, class Step, class TB, class Pitch>
SINTER_HOST_DEVICE void rankUpdates(const TA *a, Stride stride, Step step, const TB *b, Pitch pitch, int64_t k,
                                    Ahead ahead, V *out) {
  constexpr int64_t kAhead = kAheadOfStep<NV * kLanesOf<V>, TB>;
  int64_t p = 0;
  if constexpr (kReadsVectors<V, TA, Step>) {
    RowVectors<R, V> rows;
    while (k - p >= rows.steps) {
      Sums<R, NV, V> sums;
      sums.start();
      const bool more = p > 0;
      const TA *at = a + p;
      const TB *from = b + p * pitch;
      const char *line = ahead.at + p * ahead.step;
      for (int64_t left = (k - p < kSumDepth ? k - p : kSumDepth) / rows.steps; left > 0; --left, p += rows.steps) {
        // A pointer and constants, or registers that keep the rows' distances.
        rows.read([&](int i) { return kFixed<Stride> >= 0 ? at + i * stride : a + i * stride + p; });
        rows.forSteps([&](auto element, auto q) SINTER_INLINE_LAMBDA {
          sums.template add<kAsksAt<q, kAhead>>(element, from, line + q * kAhead);
          from += pitch;
        });
        at += rows.steps;
        line += rows.steps * ahead.step;
      }
      sums.end(out, more);
    }
    if (p == k && p > 0)
      return;
  }
  do {
    const int64_t stop = k - p < kSumDepth ? k : p + kSumDepth;
    const bool more = p > 0;
    Sums<R, NV, V> sums;
    sums.start();
    for (; p < stop; ++p)
      sums.add([&](int i) { return a[i * stride + p * step]; }, b + p * pitch, ahead.at + p * ahead.step);
    sums.end(out, more);
  } while (p < k);
}

/// The sizes of tiles that occur: bit r for r rows.
using TileSizes = uint32_t;
/// Those into which rowTiles splits `rows`.
SINTER_INLINE constexpr TileSizes tileSizes(int64_t rows, int64_t most, int64_t together = 1) {
  if (rows <= 0)
    return 0;
  const int64_t groups = (rows + together - 1) / together, tiles = (groups - 1) / (most / together) + 1;
  const int64_t least = groups / tiles, larger = groups % tiles, missing = groups * together - rows;
  return TileSizes(tiles - larger > (missing > 0 ? 1 : 0)) << least * together |
         TileSizes(larger > 0) << (least + 1) * together | TileSizes(1) << (least * together - missing);
}
/// Those for M rows, Fixed or any number.
template <int R, class M, int kTogether = 1>
constexpr TileSizes kTileSizes = kFixed<M> < 0 ? (TileSizes(2) << R) - 2 : tileSizes(kFixed<M>, R, kTogether);

/// The largest of sizes that are a bit each.
[[maybe_unused]] SINTER_HOST_DEVICE constexpr int largestSize(TileSizes sizes) {
  return sizes > 1 ? 1 + largestSize(sizes >> 1) : 0;
}

/// Calls body(Fixed<rows>) for a run-time number of rows, one of kSizes.
template <TileSizes kSizes, class Body>
SINTER_INLINE void withRows([[maybe_unused]] int64_t rows, [[maybe_unused]] Body body) {
  if constexpr (kSizes != 0) {
    constexpr int most = largestSize(kSizes);
    constexpr TileSizes rest = kSizes - (TileSizes(1) << most);
    if constexpr (rest == 0)
      body(Fixed<most>{});
    else if (rows == most)
      body(Fixed<most>{});
    else
      withRows<rest>(rows, body);
  }
}

/// Splits m rows into as few tiles of at most R as possible, as equal as possible (never "14 and a rest of 2"), and
/// calls body(rows, first). Of so many rows that are computed `together` only the last tile has a part.
template <int R, int kTogether = 1, class Body>
SINTER_INLINE void rowTiles(int64_t m, Body body) {
  static_assert(R >= kTogether, "a tile has those that are computed together");
  const int64_t groups = (m + kTogether - 1) / kTogether, most = R / kTogether, tiles = (groups + most - 1) / most;
  for (int64_t i = 0, first = 0; i < tiles; ++i) {
    int64_t rows = (groups / tiles + (i < groups % tiles ? 1 : 0)) * kTogether;
    if (kTogether > 1 && rows > m - first)
      rows = m - first;
    body(rows, first);
    first += rows;
  }
}

/// c[row][column...] = epilogue(...) of a tile's sums, `vectors` for each row; columns at and behind n are dropped.
/// Loops, not unrolled: the epilogue is compiled once for vectors, and for narrower ones unless kRest, how many columns
/// are left behind whole vectors (-1: any number), says that there are none.
template <int64_t kRest, class V, class TC, class LdC, class Epilogue>
SINTER_INLINE void storeTile(const V *sums, int64_t rows, int64_t vectors, TC *c, LdC ldc, int64_t row, int64_t column,
                             int64_t n, Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>;
  const int64_t whole = n - column >= vectors * lanes ? vectors : (n - column) / lanes;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < whole; ++j)
      store(c + (row + i) * ldc + column + j * lanes, epilogue(sums[i * vectors + j], row + i, column + j * lanes));
    if constexpr (lanes > 1 && kRest != 0) {
      if (whole == vectors)
        continue;
      ElementOf<V> last[lanes];
      memcpy(&last, &sums[i * vectors + whole], sizeof(last));
      const int64_t first = column + whole * lanes;
      forRest<ElementOf<V>, lanes, kRest>(first, n < first + lanes ? n : first + lanes, [&](auto tag, int64_t j) {
        const auto v = load<typename decltype(tag)::Type>(&last[j - first]);
        store(c + (row + i) * ldc + j, epilogue(v, row + i, j));
      });
    }
  }
}
/// Of a tile one vector wide whose first lane is column `column`, the columns from `first` on: those before are stored.
template <class V, class TC, class LdC, class Epilogue>
SINTER_INLINE void storeLastColumns(const V *sums, int64_t rows, TC *c, LdC ldc, int64_t row, int64_t column,
                                    int64_t first, Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>;
  for (int64_t i = 0; i < rows; ++i) {
    ElementOf<V> last[lanes];
    store(&last[0], sums[i]);
    for (int64_t j = first; j < column + lanes; ++j)
      store(c + (row + i) * ldc + j, epilogue(last[j - column], row + i, j));
  }
}

/// Columns behind whole vectors, of n that is Fixed; -1 of any number.
template <class V, class N>
constexpr int64_t kRestOf = kFixed<N> >= 0 ? kFixed<N> % kLanesOf<V> : -1;

} // namespace
} // namespace sinter
