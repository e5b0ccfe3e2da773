// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C[m, n] = epilogue(A[m, k] B[n, k]^T) on the matrix unit: B is transposed by the compiler where it is a constant.
// Grid: ceil(m / kM) x ceil(n / kN); block: kThreads; shared memory: kSharedBytes (block_tile.h). Few tiles and a long
// k: split_k.h.
#pragma once

#include "templates/cuda/block_tile.h"

namespace sinter::cuda {
namespace {

/// Rows of k elements, `stride` apart. kAligned: data, and stride in bytes, are multiples of 16; else elements are
/// taken one by one.
template <class T, bool kAligned>
struct MatrixRows {
  const T *data;
  int stride, rows, k;

  SINTER_DEVICE T at(int row, int p) const { return data[int64_t(row) * stride + p]; }

  template <class Tile, int kCount>
  class Cursor {
  public:
    SINTER_DEVICE Cursor(const MatrixRows &matrix, int firstRow, int firstStep)
        : stride(matrix.stride), isWhole(matrix.k % Tile::kStep == 0),
          isFull(matrix.rows % (kCount * Tile::kPass) == 0) {
      const int first = firstStep * Tile::kStep + Tile::ownChunk() * kPerChunk<T>, row = firstRow + Tile::ownRow();
      left = matrix.k - first;
      rows = matrix.rows - row;
      from = matrix.data + int64_t(row) * stride + first;
    }
    SINTER_DEVICE void copy(int i, SharedPlace to, bool isThere) const {
      const bool isInside = (isFull ? 0 : i * Tile::kPass) < rows;
      const int count = isWhole ? kPerChunk<T> : upTo(kPerChunk<T>, left);
      const T *const chunk = from + int64_t(i) * Tile::kPass * stride; // of a row beyond the last nothing is read
      if constexpr (kAligned)
        copyChunk(to, chunk, isInside ? count * int(sizeof(T)) : 0, isThere);
      else if (isThere)
        gatherChunk(to, chunk, isInside ? count : 0);
    }
    SINTER_DEVICE void advance() {
      left -= Tile::kStep;
      from += Tile::kStep;
    }

  private:
    const T *from; ///< this thread's chunk of the first row
    const int stride;
    const bool isWhole, isFull; ///< no step ends beyond k; a tile has all its rows or none
    int rows, left;             ///< from that chunk's place on, of the matrix and of k
  };
};

/// C[i, j] = epilogue(sum over k of rows' i-th and columns' j-th, i, j): m rows of C, ldc apart. What rows are, their
/// cursors know.
template <class Tile, class A, class B, class TC, class Epilogue>
SINTER_DEVICE void product(const A &rows, const B &columns, TC *c, int ldc, int m, int n, int k, Epilogue epilogue) {
  const int row = blockX() * Tile::kM, column = blockY() * Tile::kN;
  typename A::template Cursor<Tile, Tile::kM / Tile::kPass> cursorA(rows, row, 0);
  typename B::template Cursor<Tile, Tile::kN / Tile::kPass> cursorB(columns, column, 0);
  TileSums<Tile> sums;
  multiplyTile<Tile>(sums, cursorA, cursorB, ceilDiv(k, Tile::kStep));
  storeTile<Tile>(sums, row, column, c, ldc, m, n, epilogue, PlainSum<A, B>{rows, columns, k});
}

/// A: m rows, lda apart, k elements each. B: n rows, ldb apart. C: m rows, ldc apart. `epilogue(sum, i, j)`.
template <class Tile, bool kAligned, class TA, class TB, class TC, class Epilogue>
SINTER_DEVICE void gemm(const TA *a, int lda, const TB *b, int ldb, TC *c, int ldc, int m, int n, int k,
                        Epilogue epilogue) {
  static_assert(kSame<TA, typename Tile::Element> && kSame<TB, typename OtherOperand<TA>::Type>);
  product<Tile>(MatrixRows<TA, kAligned>{a, lda, m, k}, MatrixRows<TB, kAligned>{b, ldb, n, k}, c, ldc, m, n, k,
                epilogue);
}

} // namespace
} // namespace sinter::cuda
