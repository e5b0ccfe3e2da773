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
  const size_t words = 2 * size_t(vocab) + (size_t(vocab) + kScanChunk - 1) / kScanChunk;
  return kMassBins * sizeof(uint64_t) + (words + 1) / 2 * sizeof(uint64_t);
}

struct SamplerScratch {
  uint64_t *bins;
  int32_t *ids, *work; // one per id of the vocabulary
  float *maxima;
};
SINTER_FUNCTION SamplerScratch samplerScratch(void *scratch, int32_t vocab) {
  uint64_t *bins = static_cast<uint64_t *>(scratch);
  void *behind = bins + kMassBins;
  int32_t *ids = static_cast<int32_t *>(behind);
  void *last = ids + 2 * int64_t(vocab);
  return {bins, ids, ids + vocab, static_cast<float *>(last)};
}

/// The ids that are kept for a draw, of logits that were divided by the temperature as they were looked through.
SINTER_FUNCTION Candidates keptOf(const sinter_sampler &s, const float *logits, int32_t vocab, const LogitScan &scan,
                                  const SamplerScratch &at) {
  const bool isWide = s.top_k < s.min_tokens_to_keep;
  Candidates c = allCandidates(logits, vocab, scan, isWide ? 0 : s.top_k, at.ids, at.bins, at.work);
  warp(c, s);
  return c;
}
SINTER_INLINE float temperatureOf(const sinter_sampler &s) {
  return s.do_sample && s.temperature > 0 ? s.temperature : 1;
}

/// What `sample` does before it draws: logits are changed in place, and the ids that are kept (a greedy choice keeps
/// one) are left in c, in rising order. Returns 0 or a status.
SINTER_FUNCTION int32_t prepare(const sinter_sampler &s, const sinter_step &step, float *logits, int32_t vocab,
                                void *scratch, size_t scratch_bytes, Candidates &c) {
  if (const int32_t status = checkSampler(s, step, logits, vocab, scratch))
    return status;
  if (scratch_bytes < sampler_scratch_bytes(vocab) || reinterpret_cast<uintptr_t>(scratch) % 8)
    return SINTER_SAMPLE_SCRATCH;
  const SamplerScratch at = samplerScratch(scratch, vocab);
  void *sums = at.ids;
  processLogits(s, step, logits, vocab, at.work, static_cast<float *>(sums));
  const LogitScan scan = scanLogits(logits, vocab, temperatureOf(s), at.maxima);
  if (const int32_t status = checkGreatest(scan.greatest))
    return status;
  if (!s.do_sample) {
    at.ids[0] = idOfGreatest(scan, logits, vocab);
    c = {logits, at.ids, 1, scan.greatest, at.bins, at.work};
    return 0;
  }
  c = keptOf(s, logits, vocab, scan, at);
  return 0;
}

/// The next token, or a status below 0. The logits are changed.
SINTER_FUNCTION int32_t sample(const sinter_sampler &s, const sinter_step &step, float *logits, int32_t vocab,
                               void *scratch, size_t scratch_bytes) {
  Candidates c;
  if (const int32_t status = prepare(s, step, logits, vocab, scratch, scratch_bytes, c))
    return status;
  return c.count == 1 ? c.ids[0] : draw(c, randomAt(s.seed, step.sequence, uint64_t(step.token_count), DrawFor::token));
}

} // namespace
} // namespace sinter
