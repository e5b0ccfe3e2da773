// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a text of speech is to be believed, as transformers' generate_with_fallback asks it: one that repeats itself
// compresses well, one that was guessed has improbable tokens. Then the sound is heard again with draws of a greater
// temperature. Where a guessed text begins with the token of silence nothing was said.
//   sinter::SpeechDoubt doubt = sinter::doubtOf(limits, {ids, count}, vocabulary, meanLog, silence, scratch);
#pragma once

#include "runtime-lite/generation/deflate_size.h"
#include "runtime-lite/generation/sampler_types.h"

#include <math.h>

namespace sinter {
namespace {

/// Names are transformers'; a limit that is no number is absent.
struct SpeechLimits {
  float compression_ratio_threshold, logprob_threshold, no_speech_threshold;
};

enum class SpeechDoubt { None, Again, Silence };

/// Bytes of the tokens, each as wide as the vocabulary asks for, per byte that they compress to. Of a text that is too
/// long for it the last part.
SINTER_FUNCTION double compressionRatio(sinter_ids tokens, int32_t vocabulary, uint8_t *bytes,
                                        DeflateScratch *scratch) {
  const int32_t width = int32_t(log2(double(vocabulary)) / 8) + 1, most = kMostDeflated / width;
  const int32_t skipped = tokens.count > most ? tokens.count - most : 0;
  int32_t size = 0;
  for (int32_t i = skipped; i < tokens.count; ++i)
    for (int32_t part = 0; part < width; ++part)
      bytes[size++] = uint8_t(uint32_t(tokens.ids[i]) >> (8 * part));
  return double(size) / double(deflatedSize(bytes, size, scratch));
}

/// `tokens` with the one that ends them, `meanLog` the mean of their probabilities' logarithms, `silence` how probable
/// it was that nothing is said; `bytes`: kMostDeflated.
SINTER_FUNCTION SpeechDoubt doubtOf(const SpeechLimits &limits, sinter_ids tokens, int32_t vocabulary, double meanLog,
                                    double silence, uint8_t *bytes, DeflateScratch *scratch) {
  const bool isGuessed = meanLog < double(limits.logprob_threshold); // never below what is no number
  if (isGuessed && silence > double(limits.no_speech_threshold))
    return SpeechDoubt::Silence;
  const bool repeats =
      !isnan(limits.compression_ratio_threshold) &&
      compressionRatio(tokens, vocabulary, bytes, scratch) > double(limits.compression_ratio_threshold);
  return isGuessed || repeats ? SpeechDoubt::Again : SpeechDoubt::None;
}

} // namespace
} // namespace sinter
