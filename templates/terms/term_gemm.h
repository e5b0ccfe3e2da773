// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gemm of templates/panels/gemm.h in tile registers, by terms of bf16 (term_products.h), for many rows. B is as the
// compiler packs it for gemm, so that few rows, of a number that a call brings, go there.
#pragma once

#include "templates/panels/gemm.h"
#include "templates/terms/term_products.h"

namespace sinter {
namespace {

/// As gemm, for A whose rows have no gaps; `few`: gemm's tile computes as many rows at most, of `all` that the product
/// has, whatever share of them this call has. `scratch`: termScratchBytes.
template <int kFew, int R, int NR, class Tiles = AmxTiles, class TA, class TB, class TC, class LdA, class LdC, class M,
          class N, class K, class All, class Epilogue>
void termGemm(const TA *a, LdA lda, const TB *b, TC *c, LdC ldc, M m, N n, K k, All all, void *scratch,
              Epilogue epilogue) {
  if constexpr (kFixed<All> < 0 || kFixed<All> <= kFew) {
    if (all <= kFew) {
      gemm<R, NR>(a, lda, Fixed<1>{}, b, c, ldc, m, n, k, epilogue);
      return;
    }
  }
  if constexpr (kFixed<All> < 0 || kFixed<All> > kFew) {
    using V = Vec<float, kTermLanes<TB>>;
    termProducts<NR, kTermsOf<TA>, Tiles>(
        b, m, 0, n, k, scratch, b,
        [&](int64_t row, int64_t rows, int64_t begin, int64_t depth, uint32_t *to) {
          splitRows(a + row * lda + begin, int64_t(lda), rows, depth, to);
        },
        [&](const V *sums, int64_t rows, int64_t row, int64_t column)
            SINTER_INLINE_LAMBDA { storeTile<kRestOf<V, N>>(sums, rows, NR / 16, c, ldc, row, column, n, epilogue); });
  }
}

} // namespace
} // namespace sinter
