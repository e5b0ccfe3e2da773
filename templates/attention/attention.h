// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot-product attention of one head: softmax(score(Q K^T)) V, a few rows of Q at a time, so that the scores of a
// block and not of the whole sequence are kept. Lengths are run-time values; masks, softcap and biases are the score
// functor's.
#pragma once

#include "templates/direct/gemm_unpacked.h"
#include "templates/norm/softmax.h"

namespace sinter {
namespace {

/// Rows lie qPitch, kPitch, vPitch, oPitch elements apart; a row of Q and K has `depth`, one of V and the output
/// `width` elements.
struct AttentionShape {
  int64_t queries, keys, depth, width;
  int64_t qPitch, kPitch, vPitch, oPitch;
};
/// Floats of scratch: the scores of a block of at most R queries, and K transposed where there are enough queries to
/// earn that.
template <int R>
SINTER_INLINE int64_t attentionScratch(const AttentionShape &s) {
  return s.queries >= R ? (R + s.depth) * s.keys : s.queries * s.keys;
}

/// `score(v, i, j)` makes the score of query i and keys j, ... from the dot product v: scale, mask, bias, softcap.
/// `visible(i)`: query i sees the keys before this number, at most s.keys; causal attention is `past + i + 1`. A query
/// that sees none gets zeros. `epilogue(v, i, j)`. R, NR: the tile as in gemm.h. `scratch`: attentionScratch<R>(s)
/// floats.
template <int R, int NR, class TQ, class TK, class TV, class TO, class Score, class Visible, class Epilogue>
SINTER_HOST_DEVICE void attention(const AttentionShape &s, const TQ *q, const TK *k, const TV *v, TO *out,
                                  float *scratch, Score score, Visible visible, Epilogue epilogue) {
  const bool transposed = s.queries >= R;
  float *kt = scratch + R * s.keys; // [depth][keys]
  if (transposed)
    for (int64_t p = 0; p < s.depth; ++p)
      for (int64_t j = 0; j < s.keys; ++j)
        kt[p * s.keys + j] = convert<float>(k[j * s.kPitch + p]);
  for (int64_t first = 0; first < s.queries; first += R) {
    const int64_t rows = first + R < s.queries ? int64_t(R) : s.queries - first;
    int64_t seen = 0;
    for (int64_t i = 0; i < rows; ++i)
      seen = max(seen, int64_t(visible(first + i)));
    const auto shifted = [&](auto x, int64_t i, int64_t j) { return score(x, first + i, j); };
    const TQ *block = q + first * s.qPitch;
    if (transposed)
      gemmRows<R, NR>(block, s.qPitch, Fixed<1>{}, kt, s.keys, scratch, s.keys, rows, seen, s.depth, shifted);
    else
      gemmDots(block, s.qPitch, k, s.kPitch, scratch, s.keys, rows, seen, s.depth, shifted);
    for (int64_t i = 0; i < rows; ++i) {
      float *row = scratch + i * s.keys;
      const int64_t n = visible(first + i);
      softmaxRows<false>(row, s.keys, row, s.keys, 1, n, Identity{});
      for (int64_t j = n; j < seen; ++j)
        row[j] = 0.0f;
    }
    gemmRows<R, NR>(scratch, s.keys, Fixed<1>{}, v, s.vPitch, out + first * s.oPitch, s.oPitch, rows, s.width, seen,
                    [&](auto x, int64_t i, int64_t j) { return epilogue(x, first + i, j); });
  }
}

} // namespace
} // namespace sinter
