// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C[m, n] = epilogue(A[m, k] B[n, k]^T) for few rows of A, where tiles would be nearly empty and what counts is how
// fast B is read: a warp for each row of B, its lanes kPack elements each, next to each other, for all rows of A at
// once. Sums of lanes are merged at the end: in float another order than a chain's, the same in every run. Grid: ceil(m
// / kM) x ceil(n / kN); block: kThreads.
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"
#include "templates/cuda/warp_reduce.h"

namespace sinter::cuda {
namespace {

template <int kRows>
struct RowsOfWarps {
  static constexpr int kM = kRows, kN = 4, kThreads = kN * kWarp, kSharedBytes = 0;
};

/// A: rows lda apart. B: n rows, ldb apart. C: rows ldc apart. kPack > 1: k is a multiple, and rows are aligned to as
/// many elements.
template <class Tile, int kPack, class T, class TB, class TC, class Epilogue>
SINTER_DEVICE void rowProducts(const T *a, int lda, const TB *b, int ldb, TC *c, int ldc, int m, int n, int k,
                               Epilogue epilogue) {
  static_assert(kSame<TB, typename OtherOperand<T>::Type>);
  const int first = blockX() * Tile::kM, j = blockY() * Tile::kN + warpIndex();
  if (j >= n)
    return;
  const TB *const column = b + int64_t(j) * ldb;
  typename SumOf<T>::Type sums[Tile::kM] = {};
  SINTER_DEVICE_UNROLL_BY(4)
  for (int p = laneIndex() * kPack; p < k; p += kWarp * kPack) {
    const Pack<TB, kPack> weights = *reinterpret_cast<const Pack<TB, kPack> *>(column + p);
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kM; ++i) {
      if (first + i >= m)
        continue;
      const Pack<T, kPack> row = *reinterpret_cast<const Pack<T, kPack> *>(a + int64_t(first + i) * lda + p);
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < kPack; ++e)
        sums[i] = addProduct(row.at[e], weights.at[e], sums[i]);
    }
  }
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < Tile::kM; ++i) {
    const auto sum = combineWarp(sums[i], Sum{});
    if (laneIndex() == i && first + i < m)
      c[int64_t(first + i) * ldc + j] = stored<TC>(epilogue(sum, first + i, j));
  }
}

} // namespace
} // namespace sinter::cuda
