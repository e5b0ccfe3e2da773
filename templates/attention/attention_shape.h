// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of attention.h, and where it keeps what in its scratch. compiler/builders/attention_scratch.cpp counts the
// same without knowing the target.
#pragma once

#include "templates/attention/cache_rows.h"
#include "templates/loops/rounded_up.h"

namespace sinter {
namespace {

/// Rows lie qPitch, kPitch, vPitch, oPitch elements apart; a row of Q and K has `depth`, one of V and the output
/// `width` elements.
struct AttentionShape {
  int64_t queries, keys, depth, width;
  int64_t qPitch, kPitch, vPitch, oPitch;
  int64_t allQueries = 0; ///< of which these are some, if they are more: a query's bits do not follow from its share

  /// Whether there are so many queries.
  SINTER_INLINE_MEMBER bool hasMany(int64_t least) const { return queries >= least || allQueries >= least; }
};
/// Keys that are looked at together.
constexpr int64_t kAttentionKeys = 128;
/// Keys whose numbers are made floats together, where a cache holds them as halves and queries are few. Bytes of
/// kAttentionKeys keys take as much.
constexpr int64_t kWidenedKeys = 32;
/// From so many queries on such keys are transposed too: what that takes they share.
constexpr int64_t kQueriesThatTurn = 4;
/// Kept of a query beside its sums: the greatest score, the sum of weights, how many keys it sees.
constexpr int64_t kKeptNumbers = 3;
/// Bytes of values and of weights are packed for products, in panels of at most so many columns.
constexpr int64_t kMostPanelColumns = 32;
/// Packed bytes begin where a vector of the widest kind may.
constexpr int64_t kPackedAlignment = 64;

/// Bytes of a row of a query as bytes, with its scale; so that the next one begins where a float may.
SINTER_INLINE constexpr int64_t queryBytes(int64_t depth) { return roundedUp(depth, 4) + kScaleBytes; }

/// Places in scratch, in floats, for R queries at a time and rows of TK and TV.
template <int R, class TK, class TV>
struct AttentionPlaces {
  int64_t keysAtOnce, rows, keptPitch;
  int64_t kScales, vScales; ///< of a block's rows
  int64_t scores;           ///< [rows][keysAtOnce]
  int64_t kept;             ///< [queries][keptPitch]: with one block only the number of keys that are seen
  int64_t keys;             ///< a block's, transposed or packed; of halves and few queries kWidenedKeys rows
  int64_t keySums, queries; ///< of keys of bytes: sums of packed rows; queries as bytes
  int64_t values;           ///< of values of bytes: packed
  int64_t weights, sums;    ///< weights as bytes, [2 * rows][keysAtOnce], and what values come to, [2 * rows][width]
  int64_t total;

  SINTER_INLINE_MEMBER explicit AttentionPlaces(const AttentionShape &s) {
    const bool hasBlocks = s.keys > kAttentionKeys, transposed = s.hasMany(R);
    constexpr int64_t slack = kPackedAlignment / int64_t(sizeof(float));
    keysAtOnce = hasBlocks ? kAttentionKeys : s.keys;
    rows = transposed ? int64_t(R) : s.queries;
    keptPitch = hasBlocks ? s.width + kKeptNumbers : 1;
    kScales = 0;
    vScales = kScales + keysAtOnce;
    scores = vScales + keysAtOnce;
    kept = scores + rows * keysAtOnce;
    keys = kept + s.queries * keptPitch;
    total = keys + s.depth * (transposed && !kIsByteRow<TK> ? keysAtOnce : kWidenedKeys);
    keySums = queries = values = weights = sums = 0;
    if (kIsByteRow<TK>) {
      keySums = total + slack;
      queries = keySums + kAttentionKeys;
      total = queries + s.queries * queryBytes(s.depth) / int64_t(sizeof(float));
    }
    if (kIsByteRow<TV>) {
      values = total;
      weights = values + slack + roundedUp(s.width, kMostPanelColumns) * kAttentionKeys / int64_t(sizeof(float));
      sums = weights + 2 * rows * kAttentionKeys / int64_t(sizeof(float));
      total = sums + 2 * rows * s.width;
    }
  }
};

/// The first place at or behind `floats` where packed bytes may begin.
SINTER_INLINE int8_t *packedBytes(float *floats) {
  const auto place = reinterpret_cast<uintptr_t>(floats);
  constexpr auto unit = uintptr_t(kPackedAlignment);
  return reinterpret_cast<int8_t *>(floats) + (unit - place % unit) % unit;
}

} // namespace
} // namespace sinter
