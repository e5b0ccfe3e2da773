// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times one column, row by row.
#pragma once

#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// C[m, 1] = epilogue(A[m, k] B[k, 1]): rows of A are lda elements apart, those of B ldb, those of C ldc. Products of a
/// row are added up one by one. `epilogue(v, i, j)`.
template <class TA, class TB, class TC, class LdA, class LdB, class LdC, class M, class K, class Epilogue>
void matvec(const TA *a, LdA lda, const TB *b, LdB ldb, TC *c, LdC ldc, M m, K k, Epilogue epilogue) {
  using E = AccumulatorOf<TA>;
  for (int64_t i = 0; i < m; ++i) {
    E sum = E(0);
    for (int64_t p = 0; p < k; ++p)
      sum = multiplyAdd(convert<E>(a[i * lda + p]), convert<E>(b[p * ldb]), sum);
    store(c + i * ldc, epilogue(sum, i, int64_t(0)));
  }
}

} // namespace
} // namespace sinter
