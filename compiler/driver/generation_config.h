// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What generation_config.json says of an encoder-decoder's texts: which tokens they begin with, and of speech which are
// times and which heads follow the sound. How tokens are chosen is sampling_config.h's.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {

struct GenerationConfig {
  std::vector<int64_t> begin; ///< decoder_start_token_id and what is forced behind it; -1: one of `languages`
  std::vector<int64_t> languages;
  std::optional<int64_t> withoutTimes; ///< the token that follows `begin` in texts without times; times follow it
  std::vector<int64_t> blankless;      ///< tokens of languages that write words without blanks between them
  std::vector<std::pair<int64_t, int64_t>>
      alignmentHeads;                 ///< layers and heads of cross-attention that follow the sound
  int64_t medianFilter = 7;           ///< steps that these are smoothed over
  std::optional<int64_t> latestBegin; ///< step of time at which a text begins at the latest
};

/// What the user asks of a model of speech: "en", "transcribe"; "" where nothing is asked.
struct SpeechWish {
  std::string language, task;
};

/// Of the files beside `model`. Nothing after a message: a language or task that it does not know, or no token to begin
/// with.
std::optional<GenerationConfig> generationConfigBeside(llvm::StringRef model, const SpeechWish &wish);

} // namespace sinter
