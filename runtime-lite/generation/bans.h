// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes tokens impossible or likelier by the text before them: biases on sequences, words that are not wanted,
// n-grams that shall not come twice.
#pragma once

#include "runtime-lite/generation/fixed_math.h"
#include "runtime-lite/generation/sampler_types.h"

namespace sinter {
namespace {

constexpr float kForbidden = -static_cast<float>(SINTER_INFINITY);

SINTER_FUNCTION sinter_ids sequenceOf(const sinter_sequences &list, int32_t i) {
  const int32_t begin = i ? list.ends[i - 1] : 0;
  return {list.ids + begin, list.ends[i] - begin};
}
/// Whether a text ends with all of a sequence but its last id, which may then follow.
SINTER_FUNCTION bool isAboutToEnd(sinter_ids sequence, sinter_ids text) {
  const int32_t n = sequence.count - 1;
  if (n > text.count)
    return false;
  for (int32_t i = 0; i < n; ++i)
    if (sequence.ids[i] != text.ids[text.count - n + i])
      return false;
  return true;
}

/// Adds to each logit the sum of the biases of the sequences that it would complete. `sums` has room for all ids.
SINTER_FUNCTION void addSequenceBiases(float *logits, const sinter_sequences &list, const float *values,
                                       sinter_ids text, float *sums) {
  const auto eachMatch = [&](auto use) {
    for (int32_t i = 0; i < list.count; ++i) {
      const sinter_ids sequence = sequenceOf(list, i);
      if (isAboutToEnd(sequence, text))
        use(sequence.ids[sequence.count - 1], values[i]);
    }
  };
  eachMatch([=](int32_t id, float) { sums[id] = 0; });
  eachMatch([=](int32_t id, float value) { sums[id] += value; });
  eachMatch([=](int32_t id, float) {
    logits[id] += sums[id];
    sums[id] = 0;
  });
}

SINTER_FUNCTION bool isAmong(sinter_ids list, int32_t id) {
  for (int32_t i = 0; i < list.count; ++i)
    if (list.ids[i] == id)
      return true;
  return false;
}

/// Words that are an id of eos are let through.
SINTER_FUNCTION void forbidWords(float *logits, const sinter_sequences &words, sinter_ids text, sinter_ids eos) {
  for (int32_t i = 0; i < words.count; ++i) {
    const sinter_ids word = sequenceOf(words, i);
    const int32_t last = word.ids[word.count - 1];
    if (isAboutToEnd(word, text) && !(word.count == 1 && isAmong(eos, last)))
      logits[last] = kForbidden;
  }
}

/// Forbids ids that would end an n-gram of `seen` when `text` ends with its other ids.
SINTER_FUNCTION void forbidGrams(float *logits, int32_t vocab, sinter_ids seen, sinter_ids text, int32_t n) {
  if (text.count + 1 < n)
    return;
  for (int32_t begin = 0; begin + n <= seen.count; ++begin) {
    const sinter_ids gram = {seen.ids + begin, n};
    const int32_t last = gram.ids[n - 1];
    if (last >= 0 && last < vocab && isAboutToEnd(gram, text))
      logits[last] = kForbidden;
  }
}

SINTER_FUNCTION void forbidAll(float *logits, sinter_ids list) {
  for (int32_t i = 0; i < list.count; ++i)
    logits[list.ids[i]] = kForbidden;
}
SINTER_FUNCTION void allowOnly(float *logits, int32_t vocab, sinter_ids list) {
  for (int32_t id = 0; id < vocab; ++id)
    logits[id] = kForbidden;
  for (int32_t i = 0; i < list.count; ++i)
    logits[list.ids[i]] = 0;
}
/// Forbids the ids whose bit is 0.
SINTER_FUNCTION void applyMask(float *logits, int32_t vocab, const uint32_t *allowed) {
  for (int32_t first = 0; first < vocab; first += 32) {
    const uint32_t word = allowed[first / 32];
    const int32_t n = vocab - first < 32 ? vocab - first : 32;
    if (word != 0xffffffffu)
      for (int32_t i = 0; i < n; ++i)
        if (!((word >> i) & 1))
          logits[first + i] = kForbidden;
  }
}

} // namespace
} // namespace sinter
