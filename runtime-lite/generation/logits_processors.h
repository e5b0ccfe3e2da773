// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All changes of logits before some are kept, in the order of transformers' generate; those that it has not (presence,
// frequency) follow repetition, as in OpenVINO GenAI.
#pragma once

#include "runtime-lite/generation/bans.h"
#include "runtime-lite/generation/penalties.h"

namespace sinter {
namespace {

/// eos' logits grow by |logit| (factor^n - 1), n steps after the start.
SINTER_FUNCTION void growEos(float *logits, sinter_ids eos, double factor, int32_t n) {
  double power = 1, square = factor; // products alone: equal everywhere
  for (; n; n >>= 1, square *= square)
    if (n & 1)
      power *= square;
  const float growth = float(power - 1);
  for (int32_t i = 0; i < eos.count; ++i) {
    float &logit = logits[eos.ids[i]];
    const float size = logit < 0 ? -logit : logit;
    if (size <= 3.402823466e38f && !isAmong({eos.ids, i}, eos.ids[i])) // each id once
      logit += rounded(size * growth);
  }
}
SINTER_FUNCTION void removeInvalidValues(float *logits, int32_t vocab) {
  constexpr float greatest = 3.402823466e38f;
  for (int32_t id = 0; id < vocab; ++id) {
    const float x = logits[id];
    logits[id] = x != x ? 0.0f : x > greatest ? greatest : x < -greatest ? -greatest : x;
  }
}
SINTER_INLINE bool isPenalty(double penalty) { return penalty != 0 && penalty != 1; }

/// `work` has room for all ids.
SINTER_FUNCTION void processLogits(const sinter_sampler &s, const sinter_step &step, float *logits, int32_t vocab,
                                   int32_t *work, float *sums) {
  const sinter_ids text = {step.tokens, step.token_count};
  const int32_t prompt = step.prompt_count;
  const sinter_ids generated = {step.tokens + prompt, step.token_count - prompt};
  if (s.sequence_bias.count)
    addSequenceBiases(logits, s.sequence_bias, s.sequence_bias_values, text, sums);
  if (s.diversity_penalty != 0)
    penalizeAlikeness(logits, step.beside, s.diversity_penalty);
  if (isPenalty(s.encoder_repetition_penalty))
    penalizeRepetition(logits, vocab, step.encoder, float(1.0 / s.encoder_repetition_penalty), work);
  if (isPenalty(s.repetition_penalty))
    penalizeRepetition(logits, vocab, text, s.repetition_penalty, work);
  if (s.presence_penalty != 0 || s.frequency_penalty != 0)
    penalizeFrequency(logits, vocab, generated, s.presence_penalty, s.frequency_penalty, work);
  if (s.no_repeat_ngram_size)
    forbidGrams(logits, vocab, text, text, s.no_repeat_ngram_size);
  if (s.encoder_no_repeat_ngram_size)
    forbidGrams(logits, vocab, step.encoder, text, s.encoder_no_repeat_ngram_size);
  forbidWords(logits, s.bad_words, text, s.eos);
  if (text.count < s.min_length || generated.count < s.min_new_tokens)
    forbidAll(logits, s.eos);
  if (step.allowed)
    applyMask(logits, vocab, step.allowed);
  if (s.forced_bos.count && text.count == 1)
    allowOnly(logits, vocab, s.forced_bos);
  if (s.forced_eos.count && text.count == s.max_length - 1)
    allowOnly(logits, vocab, s.forced_eos);
  if (s.remove_invalid_values)
    removeInvalidValues(logits, vocab);
  if (s.exponential_decay_factor != 0 && generated.count > s.exponential_decay_start)
    growEos(logits, s.eos, s.exponential_decay_factor, generated.count - s.exponential_decay_start);
  forbidAll(logits, s.suppress);
  // A forced first id is no place for what shall not begin a text.
  const int32_t begin = prompt > 1 || !s.forced_bos.count ? prompt : prompt + 1;
  if (text.count == begin)
    forbidAll(logits, s.begin_suppress);
}

} // namespace
} // namespace sinter
