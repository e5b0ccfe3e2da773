// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile under GEMM and convolution: R rows by NV vectors of accumulators, rank-1 updates, and the even
// split of rows into tiles. gemm.h and conv.h are loops around these.
#pragma once

#include "runtime-lite/scalar.h"

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

/// Rows at equal distances.
template <class T, class Stride>
struct StridedRows {
  const T *base;
  Stride stride;
  SINTER_INLINE_MEMBER const T *row(int i) const { return base + i * stride; }
};
/// Rows anywhere.
template <class T, int R>
struct GatheredRows {
  const T *base[R];
  SINTER_INLINE_MEMBER const T *row(int i) const { return base[i]; }
};

/// out[R][NV] = A B, or += where `more`, for R rows of A (element p of row i: rows.row(i)[p * step]) and k rows of NV
/// vectors at b, `pitch` elements apart. Asks for one cache line of what comes next per row of B: `ahead` walks with p.
/// Not inlined where used often: one copy serves all kernels of a model that have this tile, and what becomes of the
/// sums does not matter to it.
template <int R, int NV, class V, class Rows, class Step, class TB, class Pitch>
void rankUpdates(Rows rows, Step step, const TB *b, Pitch pitch, int64_t k, const char *ahead, bool more, V *out) {
  using E = ElementOf<V>;
  V acc[R][NV];
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      acc[i][j] = more ? out[i * NV + j] : V{};
  }
  for (int64_t p = 0; p < k; ++p) {
    V w[NV];
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      w[j] = load<V>(b + p * pitch + j * kLanesOf<V>);
    __builtin_prefetch(ahead + p * 64, 0, 2);
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      const V x = splat<V>(convert<E>(rows.row(i)[p * step]));
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j)
        acc[i][j] = multiplyAdd(x, w[j], acc[i][j]);
    }
  }
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      out[i * NV + j] = acc[i][j];
  }
}

/// Calls body(Fixed<rows>) for 1 <= rows <= R, a run-time number.
template <int R, class Body>
SINTER_INLINE void withRows(int64_t rows, Body body) {
  if constexpr (R == 1) {
    body(Fixed<1>{});
  } else {
    if (rows == R)
      body(Fixed<R>{});
    else
      withRows<R - 1>(rows, body);
  }
}

/// Splits m rows into as few tiles of at most R as possible, as equal as possible (never "14 and a rest of 2"), and
/// calls body(Fixed<rows>, first). With m Fixed only the one or two sizes that occur are instantiated.
template <int R, class M, class Body>
SINTER_INLINE void rowTiles(M m, Body body) {
  if constexpr (kFixed<M> > 0) {
    constexpr int64_t tiles = (kFixed<M> + R - 1) / R;
    constexpr int64_t small = kFixed<M> / tiles;
    constexpr int64_t larger = kFixed<M> % tiles;
    if constexpr (larger > 0)
      for (int64_t i = 0; i < larger; ++i)
        body(Fixed<small + 1>{}, i * (small + 1));
    for (int64_t i = larger; i < tiles; ++i)
      body(Fixed<small>{}, larger + i * small);
  } else {
    const int64_t tiles = (m + R - 1) / R;
    for (int64_t i = 0, first = 0; i < tiles; ++i) {
      const int64_t rows = m / tiles + (i < m % tiles ? 1 : 0);
      withRows<R>(rows, [&](auto fixed) { body(fixed, first); });
      first += rows;
    }
  }
}

/// c[row][column...] = epilogue(...) of a tile's sums; columns at and behind n are dropped. A loop, not unrolled: the
/// epilogue is compiled twice (vectors, and single lanes for the last columns), whatever the tile.
template <int NV, class V, class TC, class LdC, class Epilogue>
SINTER_INLINE void storeTile(const V *sums, int64_t rows, TC *c, LdC ldc, int64_t row, int64_t column, int64_t n,
                             Epilogue &epilogue) {
  constexpr int lanes = kLanesOf<V>;
  const int64_t whole = n - column >= NV * lanes ? NV : (n - column) / lanes;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < whole; ++j)
      store(c + (row + i) * ldc + column + j * lanes, epilogue(sums[i * NV + j], row + i, column + j * lanes));
    if constexpr (lanes > 1) {
      if (whole == NV)
        continue;
      ElementOf<V> last[lanes];
      memcpy(&last, &sums[i * NV + whole], sizeof(last));
      const int64_t first = column + whole * lanes;
      for (int q = 0; q < lanes - 1 && first + q < n; ++q)
        store(c + (row + i) * ldc + first + q, epilogue(last[q], row + i, first + q));
    }
  }
}

/// The epilogue that leaves results as they are.
struct Identity {
  template <class V, class... Index>
  SINTER_INLINE_MEMBER V operator()(V v, Index...) const {
    return v;
  }
};

} // namespace
} // namespace sinter
