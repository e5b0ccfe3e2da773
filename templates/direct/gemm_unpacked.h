// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = epilogue(A B) and C = epilogue(A B^T) with B as it lies in memory: an operand that is made at run time, as in
// attention. Batches are the caller's loop. With a constant B, gemm.h is faster.
#pragma once

#include "templates/loops/gather.h"
#include "templates/loops/lane_sums.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// C[m, n] = epilogue(A[m, k] B[k, n]); rows of A, B and C are lda, ldb, ldc elements apart, and elements of a row of A
/// `step` (1, or lda's role in a transposed A). Tile as in gemm.h. `epilogue(v, i, j)`. No scratch, no alignment.
template <int R, int NR, class TA, class TB, class TC, class LdA, class Step, class LdB, class LdC, class M, class N,
          class K, class Epilogue>
SINTER_HOST_DEVICE void gemmRows(const TA *a, LdA lda, Step step, const TB *b, LdB ldb, TC *c, LdC ldc, M m, N n, K k,
                                 Epilogue epilogue) {
  using E = AccumulatorOf<TA>;
  constexpr int lanes = kLanes<E> <= NR ? kLanes<E> : NR;
  static_assert(NR % lanes == 0, "a tile is whole vectors");
  // Columns in whole tiles, then by vectors of half the width each, so that nothing outside of B's rows is read; then,
  // for two or three more, a vector of four that ends with them: it takes as many steps as one column.
  const auto tile = [&](auto vectors, auto zero, int64_t column, int64_t rows, int64_t row) {
    using V = decltype(zero);
    constexpr int nv = int(decltype(vectors)::value);
    V sums[R * nv];
    withRows<kTileSizes<R, M>>(rows, [&](auto fixed) {
      rankUpdates<int(decltype(fixed)::value), nv>(a + row * lda, lda, step, b + column, ldb, k,
                                                   Ahead{reinterpret_cast<const char *>(b + column), 0}, &sums[0]);
    });
    storeTile<0>(&sums[0], rows, nv, c, ldc, row, column, n, epilogue);
  };
  constexpr int four = lanes < 4 ? lanes : 4;
  const auto lastOfFour = [&](int64_t first, int64_t rows, int64_t row) {
    Vec<E, four> sums[R];
    const TB *const from = b + (n - four);
    withRows<kTileSizes<R, M>>(rows, [&](auto fixed) {
      rankUpdates<int(decltype(fixed)::value), 1>(a + row * lda, lda, step, from, ldb, k,
                                                  Ahead{reinterpret_cast<const char *>(from), 0}, &sums[0]);
    });
    storeLastColumns(&sums[0], rows, c, ldc, row, n - four, first, epilogue);
  };
  // Each loop has plain bounds: GCC warns of rests that fixed sizes do not have.
  const int64_t ofTiles = n - n % NR, ofVectors = n - n % lanes, ofEights = lanes > 8 ? n - n % 8 : ofVectors,
                ofFours = lanes > 4 ? n - n % 4 : ofVectors;
  const auto sweep = [&](auto rowsOf) {
    const auto columns = [&](auto vectors, auto zero, int64_t column) {
      rowsOf([&](int64_t rows, int64_t row) { tile(vectors, zero, column, rows, row); });
    };
    for (int64_t column = 0; column < ofTiles; column += NR)
      columns(Fixed<NR / lanes>{}, Vec<E, lanes>{}, column);
    for (int64_t column = ofTiles; column < ofVectors; column += lanes)
      columns(Fixed<1>{}, Vec<E, lanes>{}, column);
    if constexpr (lanes > 8)
      for (int64_t column = ofVectors; column < ofEights; column += 8)
        columns(Fixed<1>{}, Vec<E, 8>{}, column);
    if constexpr (lanes > 4)
      for (int64_t column = ofEights; column < ofFours; column += 4)
        columns(Fixed<1>{}, Vec<E, 4>{}, column);
    if constexpr (four == 4)
      if (n > four && n - ofFours > 1)
        return rowsOf([&](int64_t rows, int64_t row) { lastOfFour(ofFours, rows, row); });
    for (int64_t column = ofFours; column < n; ++column)
      columns(Fixed<1>{}, E{}, column);
  };
  // Of few products for each sum, writing C takes the time: in the order of its memory, B's few rows stay in the cache.
  constexpr int64_t few = 8;
  if constexpr (kFixed<K> >= 0 && kFixed<K> <= few)
    rowTiles<R>(m, [&](int64_t rows, int64_t row) { sweep([&](auto use) { use(rows, row); }); });
  else
    sweep([&](auto use) { rowTiles<R>(m, use); });
}

/// The dot products of a row of A with as many rows of B as V has lanes.
template <class V, class TA, class TB, class LdB>
SINTER_INLINE V rowDots(const TA *a, const TB *b, LdB ldb, int64_t k) {
  using E = ElementOf<V>;
  constexpr int lanes = kLanesOf<V>;
  V acc[lanes];
  SINTER_UNROLL
  for (int j = 0; j < lanes; ++j)
    acc[j] = V{};
  const int64_t whole = k - k % lanes;
  for (int64_t p = 0; p < whole; p += lanes) {
    const V x = load<V>(a + p);
    SINTER_UNROLL
    for (int j = 0; j < lanes; ++j)
      acc[j] = multiplyAdd(x, load<V>(b + j * ldb + p), acc[j]);
  }
  V total = laneSums(&acc[0]);
  for (int64_t q = whole; q < k; ++q) {
    E column[lanes];
    for (int j = 0; j < lanes; ++j)
      column[j] = convert<E>(b[j * ldb + q]);
    total = multiplyAdd(splat<V>(convert<E>(a[q])), load<V>(&column[0]), total);
  }
  return total;
}

/// As many columns of C as V has lanes, where rows of A and B are shorter than a vector: B's rows are columns in
/// registers, for all rows of A.
template <class V, class TA, class TB, class TC, class LdA, class LdB, class LdC, class K, class Epilogue>
SINTER_INLINE void shortDots(const TA *a, LdA lda, const TB *b, LdB ldb, TC *c, LdC ldc, int64_t m, int64_t column, K k,
                             Epilogue &epilogue) {
  V columns[kLanesOf<V>];
  const auto forEachProduct = [&](auto visit) SINTER_INLINE_LAMBDA {
    if constexpr (kFixed<K> >= 0) {
      SINTER_UNROLL
      for (int p = 0; p < int(kFixed<K>); ++p)
        visit(p);
    } else {
      for (int64_t p = 0; p < k; ++p)
        visit(p);
    }
  };
  forEachProduct([&](int64_t p) SINTER_INLINE_LAMBDA { columns[p] = loadApart<V>(b + column * ldb + p, ldb); });
  for (int64_t i = 0; i < m; ++i) {
    V total{};
    forEachProduct([&](int64_t p) SINTER_INLINE_LAMBDA {
      total = multiplyAdd(splat<V>(convert<ElementOf<V>>(a[i * lda + p])), columns[p], total);
    });
    store(c + i * ldc + column, epilogue(total, i, column));
  }
}

/// Sums of dot products that are made together: of so many rows by at most so many columns; by all of these of fewer
/// rows where registers are few, since what is multiplied needs some, too.
constexpr int kDotRows = 4, kDotColumns = 4, kWideDotRows = kVectorRegisters >= 32 ? kDotRows : kDotRows / 2;

/// C[m, n] = epilogue(A[m, k] B[n, k]^T): dot products of rows, so lanes run along k. `epilogue(v, i, j)` sees vectors
/// of columns, and scalars where few are left.
template <class TA, class TB, class TC, class LdA, class LdB, class LdC, class M, class N, class K, class Epilogue>
SINTER_HOST_DEVICE void gemmDots(const TA *a, LdA lda, const TB *b, LdB ldb, TC *c, LdC ldc, M m, N n, K k,
                                 Epilogue epilogue) {
  using E = AccumulatorOf<TA>;
  using V = Vec<E, kLanes<E>>;
  constexpr int lanes = kLanesOf<V>;
  const auto block = [&](auto rows, auto columns, int64_t row, int64_t column) {
    constexpr int r = int(decltype(rows)::value), s = int(decltype(columns)::value);
    V acc[r][s] = {};
    // Loops here have plain bounds: GCC warns of rests that fixed sizes do not have.
    const int64_t wholeDepth = k - k % lanes;
    for (int64_t p = 0; p < wholeDepth; p += lanes) {
      V y[s];
      SINTER_UNROLL
      for (int j = 0; j < s; ++j)
        y[j] = load<V>(b + (column + j) * ldb + p);
      SINTER_UNROLL
      for (int i = 0; i < r; ++i) {
        const V x = load<V>(a + (row + i) * lda + p);
        SINTER_UNROLL
        for (int j = 0; j < s; ++j)
          acc[i][j] = multiplyAdd(x, y[j], acc[i][j]);
      }
    }
    SINTER_UNROLL
    for (int i = 0; i < r; ++i) {
      SINTER_UNROLL
      for (int j = 0; j < s; ++j) {
        E total = sum(acc[i][j]);
        if constexpr (lanes > 1)
          for (int64_t q = wholeDepth; q < k; ++q)
            total = multiplyAdd(convert<E>(a[(row + i) * lda + q]), convert<E>(b[(column + j) * ldb + q]), total);
        store(c + (row + i) * ldc + column + j, epilogue(total, row + i, column + j));
      }
    }
  };
  int64_t vectorColumns = 0;
  if constexpr (lanes > 1)
    for (; vectorColumns + lanes <= n; vectorColumns += lanes) {
      if constexpr (kFixed<K> < lanes)
        if (k < lanes) {
          shortDots<V>(a, lda, b, ldb, c, ldc, m, vectorColumns, k, epilogue);
          continue;
        }
      for (int64_t i = 0; i < m; ++i)
        store(c + i * ldc + vectorColumns,
              epilogue(rowDots<V>(a + i * lda, b + vectorColumns * ldb, ldb, k), i, vectorColumns));
    }
  if (vectorColumns == n)
    return;
  const auto row = [&](auto rows, int64_t first) {
    const int64_t left = (n - vectorColumns) % kDotColumns, wholeColumns = n - left;
    for (int64_t column = vectorColumns; column < wholeColumns; column += kDotColumns)
      if constexpr (int(decltype(rows)::value) > kWideDotRows) {
        block(Fixed<kWideDotRows>{}, Fixed<kDotColumns>{}, first, column);
        block(Fixed<kWideDotRows>{}, Fixed<kDotColumns>{}, first + kWideDotRows, column);
      } else {
        block(rows, Fixed<kDotColumns>{}, first, column);
      }
    if (left == 3)
      block(rows, Fixed<3>{}, first, wholeColumns);
    else if (left == 2)
      block(rows, Fixed<2>{}, first, wholeColumns);
    else if (left == 1)
      block(rows, Fixed<1>{}, first, wholeColumns);
  };
  const int64_t wholeRows = m - m % kDotRows;
  for (int64_t i = 0; i < wholeRows; i += kDotRows)
    row(Fixed<kDotRows>{}, i);
  for (int64_t i = wholeRows; i < m; ++i)
    row(Fixed<1>{}, i);
}

} // namespace
} // namespace sinter
