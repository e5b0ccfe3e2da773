// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a token is chosen from scores: the settings of runtime-lite/generation/sampler.h that the command line has.
#pragma once

#include "driver/flags.h"

#include <string>
#include <vector>

namespace sinter {

struct SamplingFlags {
  Flag<double> temperature{"temperature",
                           Says("draw tokens; above 1 more evenly, below 1 more surely (default: the most "
                                "likely token, or 1 with one of the flags below)"),
                           Takes("number")};
  Flag<unsigned> topK{"top-k", Says("draw among so many of the most likely tokens"), Takes("n")};
  Flag<double> topP{"top-p", Says("draw among the most likely tokens that have this probability together"),
                    Takes("0..1")};
  Flag<double> minP{"min-p", Says("draw among tokens with at least this share of the greatest probability"),
                    Takes("0..1")};
  Flag<double> repetitionPenalty{"repetition-penalty", Says("above 1: what was there before is less likely"),
                                 Takes("number")};
  Flag<double> presencePenalty{"presence-penalty", Says("taken from the score of what was generated before"),
                               Takes("number")};
  Flag<double> frequencyPenalty{
      "frequency-penalty", Says("taken from the score of what was generated before, for each time"), Takes("number")};
  Flag<double> diversityPenalty{"diversity-penalty",
                                Says("of --beam-groups: taken from the score of what earlier groups have chosen"),
                                Takes("number")};
  Flag<double> penaltyAlpha{"penalty-alpha",
                            Says("contrastive search: of the --top-k most likely tokens the one that is least like "
                                 "the text so far; how much that counts"),
                            Takes("0..1")};
  Flag<unsigned> noRepeatNgram{"no-repeat-ngram", Says("no run of so many tokens comes twice"), Takes("n")};
  Flag<std::string> logitBias{"logit-bias", Says("added to the scores of tokens"), Takes("5=-2.5,7=3")};
  Flag<bool> removeInvalidValues{"remove-invalid-values",
                                 Says("a score that is no number counts as 0, infinity as the greatest number")};
  Flag<uint64_t> seed{"seed", Says("of draws: one seed gives one text"), Takes("n")};

  /// Whether tokens are compared with the text.
  bool contrasts() const { return penaltyAlpha.getNumOccurrences() && penaltyAlpha != 0; }
  /// Whether tokens are drawn.
  bool draws() const {
    bool isSurest = temperature.getNumOccurrences() && temperature == 0;
    return !isSurest && (temperature.getNumOccurrences() || (topK.getNumOccurrences() && !contrasts()) ||
                         topP.getNumOccurrences() || minP.getNumOccurrences() || seed.getNumOccurrences());
  }
  /// What was given, as the programs of runner/ take it (SamplingWords in token_sampler.h).
  std::vector<std::string> words() const;
};

} // namespace sinter
