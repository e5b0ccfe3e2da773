// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot-product attention of one head: softmax(score(Q K^T)) V in one pass over K and V, a block of keys at a time
// for all queries that share them: a query's greatest score and its sums so far are corrected when a greater score
// comes (online softmax). What is kept does not grow with the number of keys. Lengths are run-time values; masks,
// softcap and biases are the score functor's. K and V may be rows of a cache in fewer bits (cache_rows.h): how these
// are multiplied is in key_products.h and value_sums.h.
#pragma once

#include "templates/attention/key_products.h"
#include "templates/attention/value_sums.h"

namespace sinter {
namespace {

/// Floats of scratch for keys and values of TK and TV.
template <int R, class TK = float, class TV = float>
SINTER_INLINE int64_t attentionScratch(const AttentionShape &s) {
  return AttentionPlaces<R, TK, TV>(s).total;
}

/// Rows of the next block, of which memory is asked for a few at a time while this one is multiplied: more at once
/// would be waited for.
template <class TK, class TV>
struct RowsToCome {
  const TK *keys;
  const TV *values;
  int64_t kPitch, vPitch, left;

  SINTER_INLINE_MEMBER RowsToCome(const AttentionShape &s, const TK *keys, const TV *values, int64_t count)
      : keys(keys), values(values), kPitch(s.kPitch), vPitch(s.vPitch), left(min(count, kAttentionKeys)) {}
  SINTER_INLINE_MEMBER void ask(int64_t rows) {
    for (int64_t stop = max(left - rows, int64_t(0)); left > stop; --left) {
      SINTER_PREFETCH(keys);
      SINTER_PREFETCH(values);
      keys += kPitch, values += vPitch;
    }
  }
};

/// `score(v, i, j)` makes the score of query i and keys j, ... from the dot product v: scale, mask, bias, softcap.
/// `visible(i)`: query i sees the keys before this number, at most s.keys; causal attention is `past + i + 1`. A query
/// that sees none gets zeros. `epilogue(v, i, j)`. R, NR: the tile as in gemm.h. `scratch`: attentionScratch<R, TK,
/// TV>(s) floats. `isAgain`: after a call with this shape and scratch, in which queries saw as many keys; `visible`,
/// which may take long to find that out, is not asked then, and else for the first `alike` queries: others see as many
/// as those so many before them.
template <int R, int NR, class TQ, class TK, class TV, class TO, class Score, class Visible, class Epilogue>
SINTER_HOST_DEVICE void attention(const AttentionShape &s, const TQ *q, const TK *k, const TV *v, TO *out,
                                  float *scratch, Score score, Visible visible, Epilogue epilogue, bool isAgain = false,
                                  int64_t alike = INT64_MAX) {
  const AttentionPlaces<R, TK, TV> places(s);
  const int64_t keysAtOnce = places.keysAtOnce, keptPitch = places.keptPitch;
  float *const kScales = scratch + places.kScales, *const vScales = scratch + places.vScales;
  float *const scores = scratch + places.scores, *const kept = scratch + places.kept;
  KeyProducts<R, NR, TQ, TK> products(s, places, q, scratch);
  ValueSums<R, NR, TV> valueSums(s, places, scratch);
  const auto seenAt = [&](int64_t i) { return kept + i * keptPitch + keptPitch - 1; };
  for (int64_t i = 0; i < s.queries && !isAgain; ++i) {
    const auto seen = i < alike ? static_cast<int32_t>(visible(i)) : 0;
    SINTER_COPY(seenAt(i), i < alike ? static_cast<const void *>(&seen) : seenAt(i - alike), sizeof(seen));
  }
  const auto seenByOne = [&](int64_t i) {
    int32_t seen = 0;
    SINTER_COPY(&seen, seenAt(i), sizeof(seen));
    return int64_t(seen);
  };
  const auto seenBy = [&](int64_t first, int64_t rows) {
    int64_t seen = 0;
    for (int64_t i = 0; i < rows; ++i)
      seen = max(seen, seenByOne(first + i));
    return seen;
  };
  const int64_t seenByAny = seenBy(0, s.queries);
  int64_t begin = 0;
  do { // once at least: where nothing is seen, zeros are the result
    const int64_t n = s.keys - begin < keysAtOnce ? s.keys - begin : keysAtOnce;
    const TK *const keys = k + begin * s.kPitch;
    const TV *const values = v + begin * s.vPitch;
    readScales(keys, s.kPitch, s.depth, n, kScales);
    readScales(values, s.vPitch, s.width, n, vScales);
    RowsToCome<TK, TV> next(s, keys + n * s.kPitch, values + n * s.vPitch, s.keys - begin - n);
    const int64_t rowsAtOnce = kAttentionKeys / (4 * min(s.queries, int64_t(R))) + 1;
    products.take(keys, n);
    valueSums.take(values, n);
    for (int64_t first = 0; first < s.queries; first += R) {
      const int64_t rows = first + R < s.queries ? int64_t(R) : s.queries - first;
      const int64_t seen = seenBy(first, rows), here = min(n, seen - begin);
      const bool isFirst = begin == 0, isLast = seen <= begin + n;
      if (here <= 0 && !isFirst) // finished by an earlier block
        continue;
      TO *const results = out + first * s.oPitch;
      const auto finish = [&](auto x, int64_t i, int64_t j) { return epilogue(x, first + i, j); };
      if (here <= 0) {
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < s.width; ++j)
            store(results + i * s.oPitch + j, finish(0.0f, i, j));
        continue;
      }
      const auto scored = [&](auto x, int64_t i, int64_t j) {
        if constexpr (kIsByteRow<TK>)
          x = x * load<decltype(x)>(kScales + j);
        return score(x, first + i, begin + j);
      };
      const auto meanwhile = [&] { next.ask(rowsAtOnce); };
      products.scores(first, rows, here, scores, keysAtOnce, scored);
      QuerySteps<R> steps;
      for (int64_t i = 0; i < rows; ++i) {
        const float *const state = kept + (first + i) * keptPitch + s.width;
        steps.largest[i] = isFirst ? -float(SINTER_INFINITY) : state[0];
        steps.total[i] = isFirst ? 0.0f : state[1];
      }
      weighRows(
          scores, keysAtOnce, rows, here, steps, kIsByteRow<TV> ? vScales : nullptr,
          [&](int64_t i) { return min(here, max(seenByOne(first + i) - begin, int64_t(0))); }, meanwhile);
      for (int64_t i = 0; i < rows; ++i) {
        float *const state = kept + (first + i) * keptPitch + s.width;
        if (isLast)
          steps.total[i] = seenByOne(first + i) > 0 ? 1.0f / steps.total[i] : 0.0f;
        else
          state[0] = steps.largest[i], state[1] = steps.total[i];
      }
      const auto summed = [&](auto x, int64_t i, int64_t j) {
        using V = decltype(x);
        return isFirst ? x : fma(load<V>(kept + (first + i) * keptPitch + j), splat<V>(steps.correction[i]), x);
      };
      if (isLast)
        valueSums.sums(scores, keysAtOnce, rows, here, steps.weights, meanwhile, results, s.oPitch,
                       [&](auto x, int64_t i, int64_t j) {
                         return finish(summed(x, i, j) * splat<decltype(x)>(steps.total[i]), i, j);
                       });
      else
        valueSums.sums(scores, keysAtOnce, rows, here, steps.weights, meanwhile, kept + first * keptPitch, keptPitch,
                       summed);
    }
    begin += keysAtOnce;
  } while (begin < seenByAny);
}

} // namespace
} // namespace sinter
