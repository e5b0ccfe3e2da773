// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot-product attention of one head: softmax(score(Q K^T)) V in one pass over K and V, a block of keys at a time
// for all queries that share them: a query's greatest score and its sums so far are corrected when a greater score
// comes (online softmax). What is kept does not grow with the number of keys. Lengths are run-time values; masks,
// softcap and biases are the score functor's. K and V may be rows of a cache in fewer bits (cache_rows.h).
#pragma once

#include "templates/attention/cache_rows.h"
#include "templates/direct/gemm_unpacked.h"
#include "templates/loops/map.h"
#include "templates/maps/turn.h"
#include "templates/norm/softmax.h"

namespace sinter {
namespace {

/// Rows lie qPitch, kPitch, vPitch, oPitch elements apart; a row of Q and K has `depth`, one of V and the output
/// `width` elements.
struct AttentionShape {
  int64_t queries, keys, depth, width;
  int64_t qPitch, kPitch, vPitch, oPitch;
};
/// Keys that are looked at together.
constexpr int64_t kAttentionKeys = 128;
/// Keys whose numbers are made floats together, where a cache holds them in fewer bits and queries are few.
constexpr int64_t kWidenedKeys = 32;
/// From so many queries on such keys are transposed too: what that takes they share.
constexpr int64_t kQueriesThatTurn = 4;
/// Kept of a query beside its sums: the greatest score, the sum of weights, how many keys it sees.
constexpr int64_t kKeptNumbers = 3;

/// Floats of scratch: scores of a block of at most R queries, scales of rows, how many keys each query sees; K
/// transposed where there are enough queries to earn that, else some rows of it; and what is kept from block to block
/// where there are several.
template <int R>
SINTER_INLINE int64_t attentionScratch(const AttentionShape &s) {
  const int64_t keys = s.keys < kAttentionKeys ? s.keys : kAttentionKeys;
  const int64_t queries = s.queries < R ? s.queries : int64_t(R);
  return keys * (queries + 2) + s.depth * (s.queries >= R ? keys : kWidenedKeys) +
         s.queries * (s.keys > kAttentionKeys ? s.width + kKeptNumbers : int64_t(1));
}

/// What a block of keys makes of R queries' numbers, in whole vectors: the greatest scores and sums of weights so far;
/// old sums are to be multiplied by `correction`.
template <int R>
struct QuerySteps {
  static constexpr int kLength = (R + kLanes<float> - 1) / kLanes<float> * kLanes<float>;
  float largest[kLength] = {}, total[kLength] = {}, correction[kLength] = {};
};

/// The largest of the first n scores of a row, `largest` among them.
SINTER_INLINE float largestScore(const float *row, int64_t n, float largest) {
  using V = Vec<float, kLanes<float>>;
  V several = splat<V>(-float(SINTER_INFINITY));
  map<float>(n, [&](auto tag, int64_t j) {
    using W = typename decltype(tag)::Type;
    if constexpr (kSame<W, V>)
      several = max(several, load<W>(row + j));
    else
      largest = max(largest, load<W>(row + j));
  });
  return max(maxOf(several), largest);
}

/// The first n scores of a row become weights, times the keys' factors `scales` (of V's rows; null: 1), and `here` - n
/// behind them zeros. Returns the weights' sum.
SINTER_INLINE float weighKeys(float *row, int64_t n, int64_t here, float largest, const float *scales) {
  using V = Vec<float, kLanes<float>>;
  V sums{};
  float rest = 0.0f;
  map<float>(n, [&](auto tag, int64_t j) {
    using W = typename decltype(tag)::Type;
    const W e = expNegative(W(load<W>(row + j) - largest));
    store(row + j, scales ? W(e * load<W>(scales + j)) : e);
    if constexpr (kSame<W, V>)
      sums += e;
    else
      rest += e;
  });
  for (int64_t j = n; j < here; ++j)
    row[j] = 0.0f;
  return sum(sums) + rest;
}

/// Scores of a block of `here` keys become weights, in steps that each go through all rows, so that none waits for what
/// comes of a whole row. Query i sees the first seen(i) of the keys.
template <int R, class Seen>
SINTER_INLINE void weighRows(float *scores, int64_t pitch, int64_t rows, int64_t here, QuerySteps<R> &steps,
                             const float *scales, Seen seen) {
  float most[QuerySteps<R>::kLength] = {};
  for (int64_t i = 0; i < rows; ++i)
    most[i] = largestScore(scores + i * pitch, seen(i), steps.largest[i]);
  map<float>(int64_t(QuerySteps<R>::kLength), [&](auto tag, int64_t i) {
    using W = typename decltype(tag)::Type;
    const W now = load<W>(most + i), none = splat<W>(-float(SINTER_INFINITY));
    const W finite = select(now == none, W{}, now); // nothing is seen yet: weights are 0
    store(steps.correction + i, expNegative(W(load<W>(steps.largest + i) - finite)));
    store(steps.largest + i, now);
    store(most + i, finite);
  });
  for (int64_t i = 0; i < rows; ++i)
    steps.total[i] =
        steps.total[i] * steps.correction[i] + weighKeys(scores + i * pitch, seen(i), here, most[i], scales);
}

/// kt[depth][n] = K[n][depth] transposed, as floats.
template <class TK>
SINTER_INLINE void turnKeys(const TK *keys, int64_t pitch, float *kt, int64_t n, int64_t depth) {
  if constexpr (kSame<TK, float>) {
    turn(keys, pitch, kt, n, depth, n);
  } else {
    // As they are, at the end of where the floats go: these never come before what is yet to be read.
    TK *const turned = reinterpret_cast<TK *>(kt + depth * n) - depth * n;
    turn(keys, pitch, turned, n, depth, n);
    map<float>(depth * n, [&](auto tag, int64_t i) {
      using V = typename decltype(tag)::Type;
      store(kt + i, load<V>(turned + i));
    });
  }
}

/// C[m, n] = score(Q[m, k] K[n, k]^T, i, j) for few queries. `widened`: kWidenedKeys * k floats.
template <int R, int NR, class TQ, class TK, class Score>
SINTER_INLINE void dotsOfKeys(const TQ *q, int64_t qPitch, const TK *keys, int64_t kPitch, float *c, int64_t pitch,
                              int64_t m, int64_t n, int64_t k, [[maybe_unused]] float *widened, Score score) {
  if constexpr (kSame<TK, float>) {
    gemmDots(q, qPitch, keys, kPitch, c, pitch, m, n, k, score);
  } else {
    for (int64_t first = 0; first < n; first += kWidenedKeys) {
      const int64_t count = n - first < kWidenedKeys ? n - first : kWidenedKeys;
      const auto scored = [&](auto x, int64_t i, int64_t j) { return score(x, i, first + j); };
      if (m >= kQueriesThatTurn) {
        turnKeys(keys + first * kPitch, kPitch, widened, count, k);
        gemmRows<R, NR>(q, qPitch, Fixed<1>{}, widened, count, c + first, pitch, m, count, k, scored);
        continue;
      }
      for (int64_t j = 0; j < count; ++j)
        map<float>(k, [&](auto tag, int64_t p) {
          using V = typename decltype(tag)::Type;
          store(widened + j * k + p, load<V>(keys + (first + j) * kPitch + p));
        });
      gemmDots(q, qPitch, widened, k, c + first, pitch, m, count, k, scored);
    }
  }
}

/// `score(v, i, j)` makes the score of query i and keys j, ... from the dot product v: scale, mask, bias, softcap.
/// `visible(i)`: query i sees the keys before this number, at most s.keys; causal attention is `past + i + 1`. A query
/// that sees none gets zeros. `epilogue(v, i, j)`. R, NR: the tile as in gemm.h. `scratch`: attentionScratch<R>(s)
/// floats.
template <int R, int NR, class TQ, class TK, class TV, class TO, class Score, class Visible, class Epilogue>
SINTER_HOST_DEVICE void attention(const AttentionShape &s, const TQ *q, const TK *k, const TV *v, TO *out,
                                  float *scratch, Score score, Visible visible, Epilogue epilogue) {
  const bool transposed = s.queries >= R, hasBlocks = s.keys > kAttentionKeys;
  const int64_t keysAtOnce = hasBlocks ? kAttentionKeys : s.keys;
  float *const kScales = scratch, *const vScales = kScales + keysAtOnce, *const scores = vScales + keysAtOnce;
  float *const kt = scores + (transposed ? R : s.queries) * keysAtOnce; // [depth][n], or [kWidenedKeys][depth]
  // [queries][width + kKeptNumbers], with one block only the number of keys that are seen
  float *const kept = kt + s.depth * (transposed ? keysAtOnce : kWidenedKeys);
  const int64_t keptPitch = hasBlocks ? s.width + kKeptNumbers : 1;
  const auto seenAt = [&](int64_t i) { return kept + i * keptPitch + keptPitch - 1; };
  for (int64_t i = 0; i < s.queries; ++i) {
    const auto seen = static_cast<int32_t>(visible(i));
    SINTER_COPY(seenAt(i), &seen, sizeof(seen));
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
    if (transposed)
      turnKeys(keys, s.kPitch, kt, n, s.depth);
    for (int64_t first = 0; first < s.queries; first += R) {
      const int64_t rows = first + R < s.queries ? int64_t(R) : s.queries - first;
      const int64_t seen = seenBy(first, rows), here = min(n, seen - begin);
      const bool isFirst = begin == 0, isLast = seen <= begin + n;
      if (here <= 0 && !isFirst) // finished by an earlier block
        continue;
      const TQ *const block = q + first * s.qPitch;
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
      if (transposed)
        gemmRows<R, NR>(block, s.qPitch, Fixed<1>{}, kt, n, scores, keysAtOnce, rows, here, s.depth, scored);
      else
        dotsOfKeys<R, NR>(block, s.qPitch, keys, s.kPitch, scores, keysAtOnce, rows, here, s.depth, kt, scored);
      QuerySteps<R> steps;
      for (int64_t i = 0; i < rows; ++i) {
        const float *const state = kept + (first + i) * keptPitch + s.width;
        steps.largest[i] = isFirst ? -float(SINTER_INFINITY) : state[0];
        steps.total[i] = isFirst ? 0.0f : state[1];
      }
      weighRows(scores, keysAtOnce, rows, here, steps, kIsByteRow<TV> ? vScales : nullptr,
                [&](int64_t i) { return min(here, max(seenByOne(first + i) - begin, int64_t(0))); });
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
        gemmRows<R, NR>(scores, keysAtOnce, Fixed<1>{}, values, s.vPitch, results, s.oPitch, rows, s.width, here,
                        [&](auto x, int64_t i, int64_t j) {
                          return finish(summed(x, i, j) * splat<decltype(x)>(steps.total[i]), i, j);
                        });
      else
        gemmRows<R, NR>(scores, keysAtOnce, Fixed<1>{}, values, s.vPitch, kept + first * keptPitch, keptPitch, rows,
                        s.width, here, summed);
    }
    begin += keysAtOnce;
  } while (begin < seenByAny);
}

} // namespace
} // namespace sinter
