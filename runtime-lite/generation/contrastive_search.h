// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contrastive search over one text, as transformers has it (Su et al., 2022): of the likeliest few tokens the one whose
// score is greatest, (1 - alpha) * probability - alpha * likeness. A token is like the text as far as the hidden state
// that it gets has the direction of one that the text has: the greatest cosine. contrastive_steps.h does it by a
// session. Memory is the caller's.
//
//   ContrastiveSearch search(count, alpha, width, memory);   // of contrastive_search_bytes(count, width, context)
//   for (i = 0; i < prompt; ++i) search.keep(i, hidden + i * width);
//   const int32_t found = search.propose(sampler, step, logits, vocab, scratch, bytes);   // below 0: a status
//   for (i = 0; i < found; ++i) { ... the state of search.id(i) behind the text ... search.judge(i, state, length); }
//   search.best(): which of them goes on; its state is kept at `length`
#pragma once

#include "runtime-lite/generation/beam_candidates.h"
#include "runtime-lite/generation/sampler.h"

#include <math.h>

namespace sinter {
namespace {

struct ContrastiveCandidate {
  float probability, score;
};

/// Bytes of memory of a search among `count` tokens over a text of up to `context`, at an address that is a multiple of
/// 8.
SINTER_FUNCTION size_t contrastive_search_bytes(int32_t count, int32_t width, int64_t context) {
  return size_t(count) * (sizeof(BeamCandidate) + sizeof(ContrastiveCandidate)) +
         sizeof(float) * size_t(width) * (size_t(context) + 1);
}

class ContrastiveSearch {
public:
  ContrastiveSearch(int32_t count, double alpha, int32_t width, void *memory)
      : count(count), width(width), alpha(float(alpha)), rest(float(1 - alpha)),
        likeliest(static_cast<BeamCandidate *>(memory)) {
    void *behind = likeliest + count;
    judged = static_cast<ContrastiveCandidate *>(behind);
    behind = judged + count;
    own = static_cast<float *>(behind);
    text = own + width;
  }

  int32_t stateSize() const { return width; }

  /// The hidden state of the text's token at `place`, of which there are as many as the memory is for.
  void keep(int64_t place, const float *hidden) { toDirection(hidden, text + place * width); }

  /// The likeliest tokens by these logits, which are changed: how many there are, or a status below 0. Settings of
  /// draws change nothing; what is forbidden is none of them.
  int32_t propose(const sinter_sampler &s, const sinter_step &step, float *logits, int32_t vocab, void *scratch,
                  size_t scratch_bytes) {
    if (count < 1 || !isWithin(double(alpha), 0, 1))
      return SINTER_SAMPLE_SETTING;
    Candidates greatest;
    sinter_sampler greedy = s;
    greedy.do_sample = 0;
    if (const int32_t status = prepare(greedy, step, logits, vocab, scratch, scratch_bytes, greatest))
      return status;
    uint64_t total = 0;
    for (int32_t id = 0; id < vocab; ++id)
      total += weightOf(distanceBelow(greatest.greatest, logits[id]));
    BeamCandidates list(likeliest, count);
    list.add(logits, vocab, 0, 0);
    int32_t found = 0;
    for (; found < list.size() && list[found].score > kForbidden; ++found)
      judged[found] = {float(double(weightOf(distanceBelow(greatest.greatest, list[found].score))) / double(total)), 0};
    proposed = found;
    return found;
  }
  /// In falling order of probability.
  int32_t id(int32_t i) const { return likeliest[i].id; }

  /// `hidden` is the state of candidate i behind the first `length` tokens of the text.
  void judge(int32_t i, const float *hidden, int64_t length) {
    toDirection(hidden, own);
    float most = -1;
    for (int64_t place = 0; place < length; ++place) {
      const float cosine = float(product(own, text + place * width));
      most = cosine > most ? cosine : most;
    }
    judged[i].score = rounded(rest * judged[i].probability) - rounded(alpha * most);
  }
  /// Of equal ones the likelier.
  int32_t best() const {
    int32_t found = 0;
    for (int32_t i = 1; i < proposed; ++i)
      found = judged[i].score > judged[found].score ? i : found;
    return found;
  }

private:
  /// Products of floats are exact as doubles, and lanes are added in one order: equal on every target.
  double product(const float *a, const float *b) const {
    constexpr int32_t lanes = 8;
    double sums[lanes] = {};
    int32_t i = 0;
    for (; i + lanes <= width; i += lanes)
      for (int32_t lane = 0; lane < lanes; ++lane)
        sums[lane] += double(a[i + lane]) * double(b[i + lane]);
    for (int32_t lane = 0; i < width; ++i, ++lane)
      sums[lane] += double(a[i]) * double(b[i]);
    double sum = 0;
    for (const double each : sums)
      sum += each;
    return sum;
  }
  void toDirection(const float *hidden, float *direction) const {
    const double length = sqrt(product(hidden, hidden));
    for (int32_t i = 0; i < width; ++i)
      direction[i] = length > 0 ? float(double(hidden[i]) / length) : 0;
  }

  int32_t count, width;
  float alpha, rest;
  BeamCandidate *likeliest;
  ContrastiveCandidate *judged;
  float *own, *text; ///< directions of states: of a candidate, and of the text's tokens
  int32_t proposed = 0;
};

} // namespace
} // namespace sinter
