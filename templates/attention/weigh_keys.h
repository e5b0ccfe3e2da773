// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block of keys makes of its scores: weights, of which the greatest score so far is taken off, as in the online
// softmax. Under attention.h.
#pragma once

#include "templates/loops/map.h"
#include "templates/norm/softmax.h"

namespace sinter {
namespace {

/// What a block of keys makes of R queries' numbers, in whole vectors: the greatest scores and sums of weights so far;
/// old sums are to be multiplied by `correction`.
template <int R>
struct QuerySteps {
  static constexpr int kLength = (R + kLanes<float> - 1) / kLanes<float> * kLanes<float>;
  float largest[kLength] = {}, total[kLength] = {}, correction[kLength] = {};
  float weights[kLength] = {}; ///< the greatest of the block, where rows of V have factors
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

/// What the scores of a row came to.
struct RowWeights {
  float sum, largest; ///< of weights alone; of weights times factors, no number if one of these is none
};

/// The first n scores of a row become weights, times the keys' factors `scales` (of V's rows; null: 1), and `here` - n
/// behind them zeros. `largest` of the result is made where there are factors, which are not negative.
SINTER_INLINE RowWeights weighKeys(float *row, int64_t n, int64_t here, float largest, const float *scales) {
  using V = Vec<float, kLanes<float>>;
  using U = UnsignedOf<V>;
  V sums{};
  U several{}; // such floats are in the order of their bits, and what is no number comes last
  float rest = 0.0f;
  uint32_t most = 0;
  map<float>(n, [&](auto tag, int64_t j) {
    using W = typename decltype(tag)::Type;
    const W e = expNegative(W(load<W>(row + j) - largest));
    const W weight = scales ? W(e * load<W>(scales + j)) : e;
    store(row + j, weight);
    if constexpr (kSame<W, V>)
      sums += e;
    else
      rest += e;
    if (!scales)
      return;
    if constexpr (kSame<W, V>)
      several = max(several, bitCast<U>(weight));
    else
      most = max(most, bitCast<uint32_t>(weight));
  });
  for (int64_t j = n; j < here; ++j)
    row[j] = 0.0f;
  return {sum(sums) + rest, bitCast<float>(uint32_t(max(maxOf(several), most)))};
}

/// Scores of a block of `here` keys become weights, in steps that each go through all rows, so that none waits for what
/// comes of a whole row. Query i sees the first seen(i) of the keys. `meanwhile()` is called for each row.
template <int R, class Seen, class Meanwhile>
SINTER_INLINE void weighRows(float *scores, int64_t pitch, int64_t rows, int64_t here, QuerySteps<R> &steps,
                             const float *scales, Seen seen, Meanwhile meanwhile) {
  float most[QuerySteps<R>::kLength] = {};
  for (int64_t i = 0; i < rows; ++i) {
    meanwhile();
    most[i] = largestScore(scores + i * pitch, seen(i), steps.largest[i]);
  }
  map<float>(int64_t(QuerySteps<R>::kLength), [&](auto tag, int64_t i) {
    using W = typename decltype(tag)::Type;
    const W now = load<W>(most + i), none = splat<W>(-float(SINTER_INFINITY));
    const W finite = select(now == none, W{}, now); // nothing is seen yet: weights are 0
    store(steps.correction + i, expNegative(W(load<W>(steps.largest + i) - finite)));
    store(steps.largest + i, now);
    store(most + i, finite);
  });
  for (int64_t i = 0; i < rows; ++i) {
    meanwhile();
    const RowWeights row = weighKeys(scores + i * pitch, seen(i), here, most[i], scales);
    steps.total[i] = steps.total[i] * steps.correction[i] + row.sum;
    steps.weights[i] = row.largest;
  }
}

} // namespace
} // namespace sinter
