// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The next token of a text from a row of logits: greedy or drawn, by transformers' settings. No heap: scratch is the
// caller's. A draw is made of whole numbers (fixed_math.h) and a counter (philox.h), so that one seed gives one text on
// every machine, with any threads, in any batch, and after rewinding.
//
//   sinter_sampler settings = {}; settings.do_sample = 1; settings.top_k = 50; settings.seed = 7;
//   sinter_step step = {}; step.tokens = text; step.token_count = n; step.prompt_count = prompt;
//   const int32_t id = sinter::sample(settings, step, logits, vocab, scratch, sinter::sampler_scratch_bytes(vocab));
//   if (id < 0) puts(sinter_text_of_sample(id));
#pragma once

#include "runtime-lite/generation/logits_processors.h"
#include "runtime-lite/generation/philox.h"
#include "runtime-lite/generation/sampler_check.h"
#include "runtime-lite/generation/warpers.h"

namespace sinter {
namespace {

/// Bytes of scratch for a vocabulary, at an address that is a multiple of 8.
[[maybe_unused]] constexpr size_t sampler_scratch_bytes(int32_t vocab) {
  return kMassBins * sizeof(uint64_t) + 2 * sizeof(int32_t) * size_t(vocab);
}

struct SamplerScratch {
  uint64_t *bins;
  int32_t *ids, *work;
};
SINTER_FUNCTION SamplerScratch samplerScratch(void *scratch, int32_t vocab) {
  uint64_t *bins = static_cast<uint64_t *>(scratch);
  void *behind = bins + kMassBins;
  int32_t *ids = static_cast<int32_t *>(behind);
  return {bins, ids, ids + vocab};
}

/// The greatest logit, of equal ones the lowest id.
SINTER_FUNCTION int32_t greedy(const float *logits, int32_t vocab) {
  int32_t best = 0;
  for (int32_t id = 1; id < vocab; ++id)
    best = logits[id] > logits[best] ? id : best;
  return best;
}

/// What `sample` does before it draws: the logits are changed in place, the ids that are kept are left in rising order
/// in c. Returns 0 or a status.
SINTER_FUNCTION int32_t prepare(const sinter_sampler &s, const sinter_step &step, float *logits, int32_t vocab,
                                void *scratch, size_t scratch_bytes, Candidates &c) {
  if (const int32_t status = checkSampler(s, step, logits, vocab, scratch))
    return status;
  if (scratch_bytes < sampler_scratch_bytes(vocab) || reinterpret_cast<uintptr_t>(scratch) % 8)
    return SINTER_SAMPLE_SCRATCH;
  if (!s.remove_invalid_values)
    if (const int32_t status = checkLogits(logits, vocab))
      return status;
  const SamplerScratch at = samplerScratch(scratch, vocab);
  void *sums = at.ids;
  processLogits(s, step, logits, vocab, at.work, static_cast<float *>(sums));
  if (s.do_sample && s.temperature > 0 && s.temperature != 1)
    applyTemperature(logits, vocab, s.temperature);
  if (const int32_t status = checkLogits(logits, vocab)) // biases may be infinite, quotients become so
    return status;
  c = allCandidates(logits, vocab, at.ids, at.bins, at.work);
  if (!c.count)
    return SINTER_SAMPLE_NONE_ALLOWED;
  if (s.do_sample)
    warp(c, s);
  return 0;
}

/// The next token, or a status below 0. The logits are changed.
SINTER_FUNCTION int32_t sample(const sinter_sampler &s, const sinter_step &step, float *logits, int32_t vocab,
                               void *scratch, size_t scratch_bytes) {
  Candidates c;
  if (const int32_t status = prepare(s, step, logits, vocab, scratch, scratch_bytes, c))
    return status;
  if (!s.do_sample)
    return greedy(logits, vocab);
  return c.count == 1 ? c.ids[0] : draw(c, randomAt(s.seed, step.sequence, uint64_t(step.token_count), DrawFor::token));
}

} // namespace
} // namespace sinter
