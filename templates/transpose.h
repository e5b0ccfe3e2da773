// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permuted copies: a matrix transposed in cache-sized tiles, and any permutation as nested loops around that or around
// straight copies. Element types are only moved: pass unsigned integers of the element's size.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// out[j * outPitch + i] = in[i * inPitch + j] for i < rows, j < columns. Tiles of 16 x 16: one cache line of four-byte
/// elements.
template <class T>
void transposeMatrix(const T *in, int64_t inPitch, T *out, int64_t outPitch, int64_t rows, int64_t columns) {
  constexpr int64_t tile = 16;
  for (int64_t i0 = 0; i0 < rows; i0 += tile)
    for (int64_t j0 = 0; j0 < columns; j0 += tile) {
      if (i0 + tile <= rows && j0 + tile <= columns) {
        for (int64_t j = j0; j < j0 + tile; ++j)
          for (int64_t i = i0; i < i0 + tile; ++i)
            out[j * outPitch + i] = in[i * inPitch + j];
        continue;
      }
      const int64_t i1 = i0 + tile < rows ? i0 + tile : rows, j1 = j0 + tile < columns ? j0 + tile : columns;
      for (int64_t j = j0; j < j1; ++j)
        for (int64_t i = i0; i < i1; ++i)
          out[j * outPitch + i] = in[i * inPitch + j];
    }
}

/// `out`, dense with `sizes` (outermost first), filled from `in`, whose elements lie inStrides apart along the same
/// dims. kRank >= 1. Strides may be 0 (broadcast) or negative (reversed). No scratch.
template <int kRank, class T>
void permute(const T *in, T *out, const int64_t (&sizes)[kRank], const int64_t (&inStrides)[kRank]) {
  int64_t outStrides[kRank];
  int64_t total = 1;
  for (int d = kRank - 1; d >= 0; --d) {
    outStrides[d] = total;
    total *= sizes[d];
  }
  if (total == 0)
    return;
  // The innermost dim of the output, and the dim along which the input is dense: one and the same means straight
  // copies.
  constexpr int last = kRank - 1;
  int dense = last;
  for (int d = 0; d < last; ++d)
    if (inStrides[last] != 1 && inStrides[d] == 1 && sizes[d] > 1)
      dense = d;
  int64_t index[kRank] = {};
  for (;;) {
    int64_t from = 0, to = 0;
    for (int d = 0; d < kRank; ++d) {
      from += index[d] * inStrides[d];
      to += index[d] * outStrides[d];
    }
    if (dense != last)
      transposeMatrix(in + from, inStrides[last], out + to, outStrides[dense], sizes[last], sizes[dense]);
    else if (inStrides[last] == 1)
      memcpy(static_cast<void *>(out + to), in + from, size_t(sizes[last]) * sizeof(T));
    else
      for (int64_t i = 0; i < sizes[last]; ++i)
        out[to + i] = in[from + i * inStrides[last]];
    int d = last - 1;
    for (; d >= 0; --d) {
      if (d == dense)
        continue;
      if (++index[d] < sizes[d])
        break;
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

} // namespace
} // namespace sinter
