// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be wrong with a sampler's settings and with logits, said before anything is read through them.
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/generation/sampler_types.h"

namespace sinter {
namespace {

/// NaN is in no range.
SINTER_INLINE bool isWithin(double x, double least, double most) { return x >= least && x <= most; }

SINTER_FUNCTION int32_t checkIds(sinter_ids list, int32_t vocab) {
  if (list.count < 0)
    return SINTER_SAMPLE_SETTING;
  if (list.count && !list.ids)
    return SINTER_SAMPLE_NULL;
  for (int32_t i = 0; i < list.count; ++i)
    if (list.ids[i] < 0 || list.ids[i] >= vocab)
      return SINTER_SAMPLE_TOKEN;
  return 0;
}
/// Sequences have an id at least; the last of each is in the vocabulary, as others of a text may not be.
SINTER_FUNCTION int32_t checkSequences(const sinter_sequences &list, int32_t vocab) {
  if (list.count < 0)
    return SINTER_SAMPLE_SETTING;
  if (list.count && (!list.ids || !list.ends))
    return SINTER_SAMPLE_NULL;
  for (int32_t i = 0, begin = 0; i < list.count; begin = list.ends[i++]) {
    if (list.ends[i] <= begin)
      return SINTER_SAMPLE_SETTING;
    const int32_t last = list.ids[list.ends[i] - 1];
    if (last < 0 || last >= vocab)
      return SINTER_SAMPLE_TOKEN;
  }
  return 0;
}

SINTER_FUNCTION bool areInRange(const sinter_sampler &s, const sinter_step &step) {
  constexpr float most = 3.402823466e38f;
  const float shares[] = {s.top_p, s.min_p, s.typical_p, s.epsilon_cutoff, s.eta_cutoff};
  for (const float share : shares)
    if (!isWithin(share, 0, 1))
      return false;
  const double positive[] = {s.temperature, s.repetition_penalty, s.encoder_repetition_penalty,
                             s.exponential_decay_factor};
  for (const double number : positive)
    if (!isWithin(number, 0, most))
      return false;
  const int32_t counts[] = {s.top_k,      s.no_repeat_ngram_size, s.encoder_no_repeat_ngram_size, s.min_tokens_to_keep,
                            s.min_length, s.min_new_tokens,       s.exponential_decay_start,      s.max_length};
  for (const int32_t count : counts)
    if (count < 0)
      return false;
  return isWithin(s.presence_penalty, -most, most) && isWithin(s.frequency_penalty, -most, most) &&
         isWithin(s.diversity_penalty, -most, most) && step.beside.count >= 0 && step.prompt_count >= 0 &&
         step.prompt_count <= step.token_count && step.encoder.count >= 0;
}

/// 0, or what is wrong. Settings that cost nothing are looked at in each step; so are lists, which are short.
SINTER_FUNCTION int32_t checkSampler(const sinter_sampler &s, const sinter_step &step, const float *logits,
                                     int32_t vocab, const void *scratch) {
  constexpr int32_t mostIds = 1 << 23; // more weights could not be added
  if (!logits || !scratch || (step.token_count && !step.tokens) || (step.encoder.count && !step.encoder.ids) ||
      (step.beside.count && !step.beside.ids) || (s.sequence_bias.count && !s.sequence_bias_values))
    return SINTER_SAMPLE_NULL;
  if (vocab <= 0 || vocab > mostIds || !areInRange(s, step))
    return SINTER_SAMPLE_SETTING;
  const sinter_ids lists[] = {s.eos, s.forced_bos, s.forced_eos, s.suppress, s.begin_suppress, step.beside};
  for (const sinter_ids &list : lists)
    if (const int32_t status = checkIds(list, vocab))
      return status;
  if (const int32_t status = checkSequences(s.sequence_bias, vocab))
    return status;
  return checkSequences(s.bad_words, vocab);
}

/// By the greatest logit, which is NaN if any is.
SINTER_FUNCTION int32_t checkGreatest(float greatest) {
  constexpr float most = 3.402823466e38f;
  if (greatest != greatest)
    return SINTER_SAMPLE_NAN;
  return greatest > most ? SINTER_SAMPLE_INFINITE : greatest < -most ? SINTER_SAMPLE_NONE_ALLOWED : 0;
}

} // namespace
} // namespace sinter
