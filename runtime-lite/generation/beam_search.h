// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beam search over one text, as transformers has it: settings and logits in, the next tokens of all beams out, and a
// table that says which cache each beam goes on with. Memory is the caller's.
//
//   BeamSearch search(beams, sampler, vocab, memory);
//   search.begin(prompt, count);
//   while (!search.isDone()) {
//     ... logits: a row per beam (the first time one row, of the prompt) ...
//     if (const int32_t status = search.step(logits, scratch, bytes)) return status;
//     ... give beam i the cache of beam search.parents()[i], then feed it search.tokens(i)[search.length() - 1] ...
//   }
//   search.finished(0), search.finishedLength(0), search.finishedScore(0): the best
//
// Where the sampler's do_sample is set, continuations are drawn among those that its settings keep of each beam (beam
// sampling), by its seed; the texts that end are compared as above.
//
// Beams in groups (diverse beam search) are a search for each group, in their order at each step: what the groups
// before have chosen in it, tokens(i)[length() - 1] of their beams, is `beside`, from whose scores the sampler's
// diversity_penalty is taken.
#pragma once

#include "runtime-lite/generation/beam_candidates.h"
#include "runtime-lite/generation/beam_draws.h"
#include "runtime-lite/generation/beam_types.h"
#include "runtime-lite/generation/length_penalty.h"
#include "runtime-lite/generation/log_softmax.h"
#include "runtime-lite/generation/sampler.h"

namespace sinter {
namespace {

/// Continuations that are looked at: enough that as many beams go on when all ids of eos are among them.
SINTER_FUNCTION int32_t beamCandidateCount(const sinter_beams &beams, int32_t eosCount) {
  return (eosCount > 1 ? eosCount + 1 : 2) * beams.num_beams;
}
/// Bytes of memory of a search, at an address that is a multiple of 8.
SINTER_FUNCTION size_t beam_search_bytes(const sinter_beams &beams, int32_t eosCount) {
  const size_t n = size_t(beams.num_beams);
  return sizeof(uint64_t) * n + sizeof(BeamCandidate) * size_t(beamCandidateCount(beams, eosCount)) +
         sizeof(int32_t) * (3 * n * size_t(beams.max_length) + 4 * n);
}

class BeamSearch {
public:
  BeamSearch(const sinter_beams &beams, const sinter_sampler &sampler, int32_t vocab, void *memory)
      : beams(beams), sampler(sampler), vocab(vocab), sums(static_cast<uint64_t *>(memory)) {
    const int64_t n = beams.num_beams, text = n * beams.max_length;
    const int32_t least =
        sampler.eos.count > 1 ? sampler.eos.count + 1 : 2; // as many go on when all ids of eos are drawn
    this->sampler.min_tokens_to_keep = sampler.min_tokens_to_keep > least ? sampler.min_tokens_to_keep : least;
    void *first = sums + n;
    candidates = static_cast<BeamCandidate *>(first);
    void *behind = candidates + beamCandidateCount(beams, sampler.eos.count);
    running = static_cast<int32_t *>(behind);
    next = running + text;
    done = next + text;
    doneLengths = done + text;
    parentOf = doneLengths + n;
    void *last = parentOf + n;
    scores = static_cast<float *>(last);
    doneScores = scores + n;
  }

  /// A status if the settings make no search, else 0. `encoder`: as in sinter_step; it stays the caller's.
  int32_t begin(const int32_t *prompt, int32_t count, sinter_ids encoder = {}) {
    encoded = encoder;
    if (beams.num_beams < 1 || count < 1 || count >= beams.max_length ||
        (sampler.do_sample && beams.num_beams > 1 << kBeamRowBits) ||
        beamCandidateCount(beams, sampler.eos.count) > vocab || !isWithin(beams.length_penalty, -16, 16))
      return SINTER_SAMPLE_SETTING;
    for (int32_t beam = 0; beam < beams.num_beams; ++beam)
      for (int32_t i = 0; i < count; ++i)
        running[at(beam) + i] = prompt[i];
    scores[0] = 0;
    textLength = promptLength = count;
    doneCount = 0;
    canImprove = mayContinue = true;
    return 0;
  }

  /// logits: [num_beams][vocab], the first time [1][vocab]; they are changed.
  int32_t step(float *logits, void *scratch, size_t scratch_bytes, sinter_ids beside = {}) {
    const int32_t rows = textLength == promptLength ? 1 : beams.num_beams;
    const int32_t capacity = beamCandidateCount(beams, sampler.eos.count);
    BeamCandidates best(candidates, capacity);
    for (int32_t row = 0; row < rows; ++row) {
      float *of = logits + int64_t(row) * vocab;
      if (const int32_t status = score(of, row, scratch, scratch_bytes, beside))
        return status;
      if (!sampler.do_sample)
        best.add(of, vocab, row, scores[row]);
    }
    const BeamDraws draws = {logits, scores, rows, vocab, sums};
    if (!((sampler.do_sample ? draws.greatest() : best[0].score) > kForbidden))
      return SINTER_SAMPLE_NONE_ALLOWED;
    if (sampler.do_sample)
      draws.draw(candidates, capacity, sampler.seed, textLength);
    finish();
    if (sampler.do_sample)
      best.order(capacity);
    advance(best);
    ++textLength;
    judge();
    return 0;
  }

  bool isDone() const {
    const bool isFull = doneCount == beams.num_beams && beams.early_stopping == SINTER_STOP_WHEN_FULL;
    return !canImprove || !mayContinue || isFull;
  }
  int32_t length() const { return textLength; }
  const int32_t *tokens(int32_t beam) const { return running + at(beam); }
  const int32_t *parents() const { return parentOf; }

  /// Texts that ended, the best first; there may be fewer than beams.
  int32_t finishedCount() const { return doneCount; }
  const int32_t *finished(int32_t i) const { return done + at(i); }
  int32_t finishedLength(int32_t i) const { return doneLengths[i]; }
  float finishedScore(int32_t i) const { return doneScores[i]; }

private:
  int64_t at(int32_t beam) const { return int64_t(beam) * beams.max_length; }

  /// Logits to log-probabilities, and these as the settings change them.
  int32_t score(float *row, int32_t beam, void *scratch, size_t scratch_bytes, sinter_ids beside) {
    sinter_step where = {};
    where.tokens = tokens(beam);
    where.token_count = textLength;
    where.prompt_count = promptLength;
    where.beside = beside;
    where.encoder = encoded;
    if (const int32_t status = checkSampler(sampler, where, row, vocab, scratch))
      return status;
    if (scratch_bytes < sampler_scratch_bytes(vocab) || reinterpret_cast<uintptr_t>(scratch) % 8)
      return SINTER_SAMPLE_SCRATCH;
    const SamplerScratch part = samplerScratch(scratch, vocab);
    const LogitScan scan = scanLogits(row, vocab, 1, part.maxima);
    if (const int32_t status = checkGreatest(scan.greatest))
      return status;
    logSoftmax(row, vocab, scan.greatest);
    void *sums = part.ids;
    processLogits(sampler, where, row, vocab, part.work, static_cast<float *>(sums));
    const LogitScan changed = scanLogits(row, vocab, temperatureOf(sampler), part.maxima);
    if (changed.greatest == kForbidden) // other beams may go on
      return 0;
    if (const int32_t status = checkGreatest(changed.greatest))
      return status;
    if (sampler.do_sample)
      keepOnly(row, keptOf(sampler, row, vocab, changed, part));
    if (sampler.renormalize_logits)
      logSoftmax(row, vocab, changed.greatest);
    return 0;
  }
  void keepOnly(float *row, const Candidates &kept) const {
    for (int32_t id = 0, i = 0; id < vocab; ++id)
      if (i < kept.count && kept.ids[i] == id)
        ++i;
      else
        row[id] = kForbidden;
  }
  bool ends(const BeamCandidate &c) const { return isAmong(sampler.eos, c.id) || textLength + 1 >= beams.max_length; }

  /// Takes in the continuations that end, of the first num_beams; the best texts that ended stay.
  void finish() {
    if (!canImprove || (doneCount == beams.num_beams && beams.early_stopping == SINTER_STOP_WHEN_FULL))
      return;
    for (int32_t i = 0; i < beams.num_beams; ++i) {
      const BeamCandidate &c = candidates[i];
      if (!ends(c) || !(c.score > kForbidden))
        continue;
      const int32_t generated = textLength + 1 - promptLength;
      const int32_t whole = isAmong(sampler.eos, c.id) ? textLength : textLength + 1;
      const int32_t base = beams.length_base == SINTER_LENGTH_WHOLE ? whole : generated;
      keepDone(c, float(double(c.score) / powerOfLength(base, beams.length_penalty)));
    }
  }
  void keepDone(const BeamCandidate &c, float value) {
    const bool isFull = doneCount == beams.num_beams;
    if (isFull && !(value > doneScores[doneCount - 1]))
      return;
    int32_t place = isFull ? doneCount - 1 : doneCount++;
    for (; place > 0 && value > doneScores[place - 1]; --place) {
      doneScores[place] = doneScores[place - 1];
      doneLengths[place] = doneLengths[place - 1];
      for (int32_t i = 0; i < doneLengths[place]; ++i)
        done[at(place) + i] = done[at(place - 1) + i];
    }
    doneScores[place] = value;
    doneLengths[place] = textLength + 1;
    for (int32_t i = 0; i < textLength; ++i)
      done[at(place) + i] = running[at(c.beam) + i];
    done[at(place) + textLength] = c.id;
  }

  /// The best continuations that do not end become the beams.
  void advance(const BeamCandidates &best) {
    int32_t beam = 0;
    for (int32_t i = 0; i < best.size() && beam < beams.num_beams; ++i) {
      const BeamCandidate &c = best[i];
      if (ends(c))
        continue;
      for (int32_t j = 0; j < textLength; ++j)
        next[at(beam) + j] = running[at(c.beam) + j];
      next[at(beam) + textLength] = c.id;
      parentOf[beam] = c.beam;
      scores[beam++] = c.score;
    }
    mayContinue = beam > 0;
    int32_t *const old = running;
    running = next;
    next = old;
  }
  /// Whether the best beam may still be better than the worst text that ended.
  void judge() {
    if (doneCount < beams.num_beams || !mayContinue)
      return;
    const bool isLong = beams.early_stopping == SINTER_STOP_NEVER_EARLY && beams.length_penalty > 0;
    const int32_t whole = isLong ? beams.max_length : textLength;
    const int32_t base = beams.length_base == SINTER_LENGTH_WHOLE ? whole : whole - promptLength;
    const float possible = float(double(scores[0]) / powerOfLength(base, beams.length_penalty));
    canImprove = canImprove && possible > doneScores[doneCount - 1];
  }

  sinter_beams beams;
  sinter_sampler sampler;
  sinter_ids encoded = {};
  int32_t vocab;
  uint64_t *sums;
  BeamCandidate *candidates;
  int32_t *running, *next, *done, *doneLengths, *parentOf;
  float *scores, *doneScores;
  int32_t textLength = 0, promptLength = 0, doneCount = 0;
  bool canImprove = true, mayContinue = true;
};

} // namespace
} // namespace sinter
