// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers of runtime-lite/generation as C functions, which the scripts beside this call by ctypes (chosen.py).
#include "runtime-lite/generation/beam_search.h"

#include <new>

using namespace sinter;

extern "C" {

size_t choose_scratch_bytes(int32_t vocab) { return sampler_scratch_bytes(vocab); }

/// Logits as they are before a draw: those that are not kept become -inf.
int32_t choose_prepare(const sinter_sampler *settings, const sinter_step *step, float *logits, int32_t vocab,
                       void *scratch, size_t scratch_bytes) {
  Candidates c;
  if (const int32_t status = prepare(*settings, *step, logits, vocab, scratch, scratch_bytes, c))
    return status;
  if (!settings->do_sample)
    return c.ids[0];
  for (int32_t id = 0, i = 0; id < vocab; ++id)
    if (i < c.count && c.ids[i] == id)
      ++i;
    else
      logits[id] = kForbidden;
  return c.count;
}

int32_t choose_sample(const sinter_sampler *settings, const sinter_step *step, float *logits, int32_t vocab,
                      void *scratch, size_t scratch_bytes) {
  return sample(*settings, *step, logits, vocab, scratch, scratch_bytes);
}

// A search at a time; its memory comes from Python.
static BeamSearch *search;
int32_t beam_begin(const sinter_beams *beams, const sinter_sampler *settings, int32_t vocab, void *memory,
                   const int32_t *prompt, int32_t count) {
  static unsigned char place[sizeof(BeamSearch)];
  search = new (place) BeamSearch(*beams, *settings, vocab, memory);
  return search->begin(prompt, count);
}
size_t beam_bytes(const sinter_beams *beams, int32_t eos) { return beam_search_bytes(*beams, eos); }
int32_t beam_step(float *logits, void *scratch, size_t bytes) {
  const int32_t status = search->step(logits, scratch, bytes);
  return status ? status : search->isDone();
}
/// What was drawn of beams, in the order of draws: a score, a beam and an id each. Rows of logits are changed.
void beam_draw(float *rows, const float *scores, int32_t count, int32_t vocab, uint64_t *sums, BeamCandidate *drawn,
               int32_t capacity, uint64_t seed, int32_t position) {
  BeamDraws{rows, scores, count, vocab, sums}.draw(drawn, capacity, seed, position);
}
const int32_t *beam_tokens(int32_t beam) { return search->tokens(beam); }
const int32_t *beam_parents() { return search->parents(); }
int32_t beam_finished(int32_t i, const int32_t **tokens, float *score) {
  if (i >= search->finishedCount())
    return 0;
  *tokens = search->finished(i);
  *score = search->finishedScore(i);
  return search->finishedLength(i);
}
}
