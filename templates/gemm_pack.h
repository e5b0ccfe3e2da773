// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a constant B for gemm.h. Runs in the compiler, on the bytes of a weight; plain loops, any element type.
#pragma once

#include <stdint.h>

namespace sinter {

/// The elements of packed B: whole panels.
inline int64_t gemmPackedSize(int64_t n, int64_t k, int64_t nr) { return (n + nr - 1) / nr * nr * k; }

/// out[panel][p][j] = B(p, panel * nr + j), zero behind n. B(p, j) = b[p * kStride + j * nStride]: any of B and its
/// transpose.
template <class T>
void gemmPack(const T *b, int64_t kStride, int64_t nStride, int64_t n, int64_t k, int64_t nr, T *out) {
  for (int64_t first = 0; first < n; first += nr)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < nr; ++j)
        *out++ = first + j < n ? b[p * kStride + (first + j) * nStride] : T{};
}

} // namespace sinter
