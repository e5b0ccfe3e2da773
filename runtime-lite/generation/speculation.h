// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ids of a draft a model would have said itself. Greedy: those that equal its own. Drawn: an id is taken with
// probability min(1, p / q), and the first that is not is replaced by one drawn of what p has above q, so that texts
// are as likely as without a draft. Probabilities are whole numbers, 62 bits behind the point: equal on every target.
#pragma once

#include "runtime-lite/generation/logit_scan.h"
#include "runtime-lite/generation/philox.h"
#include "runtime-lite/generation/sampler_types.h"

namespace sinter {
namespace {

/// A row of logits whose removed ids are -inf, as probabilities.
class Distribution {
public:
  Distribution(const float *logits, int32_t vocab) : logits(logits), vocab(vocab) {
    for (int32_t id = 0; id < vocab; ++id)
      greatest = logits[id] > greatest ? logits[id] : greatest;
    uint64_t total = 0;
    for (int32_t id = 0; id < vocab; ++id)
      total += weightOf(distanceBelow(greatest, logits[id]));
    uint64_t rest = 1; // 2^103 / total, digit by digit
    for (int bit = 0; bit < 103; ++bit) {
      rest *= 2;
      reciprocal = reciprocal * 2 + (rest >= total ? 1 : 0);
      rest -= rest >= total ? total : 0;
    }
  }
  uint64_t probability(int32_t id) const {
    return logits[id] > -static_cast<float>(SINTER_INFINITY)
               ? multiplyHigh(weightOf(distanceBelow(greatest, logits[id])) << 23, reciprocal)
               : 0;
  }
  int32_t size() const { return vocab; }

private:
  const float *logits;
  int32_t vocab;
  float greatest = -static_cast<float>(SINTER_INFINITY);
  uint64_t reciprocal = 0;
};

/// What a draft gave an id: a row of its model's, or certainty where there is no model.
struct DraftRow {
  const Distribution *row; // null: the draft was certain of `id`
  int32_t id;
  uint64_t probability(int32_t of) const { return row ? row->probability(of) : of == id ? uint64_t(1) << 62 : 0; }
};

/// Whether the drafted id is taken, for 64 random bits.
SINTER_FUNCTION bool isAccepted(const Distribution &target, const DraftRow &draft, uint64_t random) {
  return multiplyHigh(random, draft.probability(draft.id)) < target.probability(draft.id);
}

/// An id by what the target has above the draft; by the target alone where the two are equal, or there is no draft.
SINTER_FUNCTION int32_t drawResidual(const Distribution &target, const DraftRow *draft, uint64_t random) {
  const auto above = [&](int32_t id) -> uint64_t {
    const uint64_t p = target.probability(id), q = draft ? draft->probability(id) : 0;
    return p > q ? p - q : 0;
  };
  uint64_t total = 0;
  for (int32_t id = 0; id < target.size(); ++id)
    total += above(id);
  if (!total)
    return draft ? drawResidual(target, nullptr, random) : SINTER_SAMPLE_NONE_ALLOWED;
  uint64_t mass = multiplyHigh(random, total);
  int32_t last = 0;
  for (int32_t id = 0; id < target.size(); ++id)
    if (const uint64_t part = above(id)) {
      if (mass < part)
        return id;
      mass -= part;
      last = id;
    }
  return last;
}

struct Speculated {
  int32_t accepted; // of the draft's ids
  int32_t next;     // the id behind them, or a status below 0
};

/// `target` has count + 1 rows, `draft` count, or is null for drafts without a model. Position is where the first id of
/// the draft would stand.
SINTER_FUNCTION Speculated speculate(const float *target, int32_t vocab, const int32_t *ids, int32_t count,
                                     const float *draft, int32_t draftVocab, uint64_t seed, uint32_t sequence,
                                     uint64_t position) {
  if (draft && draftVocab != vocab)
    return {0, SINTER_SAMPLE_DRAFT};
  for (int32_t i = 0; i < count; ++i) {
    if (ids[i] < 0 || ids[i] >= vocab)
      return {i, SINTER_SAMPLE_TOKEN};
    const Distribution wanted(target + int64_t(i) * vocab, vocab);
    const Distribution given(draft ? draft + int64_t(i) * vocab : target, vocab);
    const DraftRow row = {draft ? &given : nullptr, ids[i]};
    const uint64_t at = position + uint64_t(i);
    if (!isAccepted(wanted, row, randomAt(seed, sequence, at, DrawFor::acceptance)))
      return {i, drawResidual(wanted, &row, randomAt(seed, sequence, at, DrawFor::residual))};
  }
  const Distribution last(target + int64_t(count) * vocab, vocab);
  return {count, drawResidual(last, nullptr, randomAt(seed, sequence, position + uint64_t(count), DrawFor::residual))};
}

/// The same for a greedy choice: the longest equal prefix, and the model's own id behind it.
SINTER_FUNCTION Speculated speculateGreedy(const int32_t *chosen, const int32_t *ids, int32_t count) {
  int32_t same = 0;
  while (same < count && chosen[same] == ids[same])
    ++same;
  return {same, chosen[same]};
}

} // namespace
} // namespace sinter
