// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What restricts the scores of next tokens in generation, in the order in which onnxruntime does it.
#pragma once

#include "generation.h"

namespace sinter {

/// Tokens of Whisper's vocabulary; those from `timestamps` on are times.
struct WhisperTokens {
  int64_t endOfText, startOfTranscript, translate, transcribe, startOfModel, noTimestamps, timestamps;
};

struct ScoreRules {
  Tensor repetitionPenalty, least, temperature; ///< of one element; null: none
  Tensor allowed, allowedFirst;                 ///< [vocabulary], [batch, vocabulary]: 0 where a token is not
  Tensor present;                               ///< [batch, vocabulary]
  double presencePenalty = 0;                   ///< of tokens that are present
  int64_t runSize = 0;                          ///< of runs that must not come again (no_repeat_ngram_size)
  std::optional<WhisperTokens> whisper;

  /// Of operands with these numbers, where they are given.
  struct Operands {
    unsigned least, repetitionPenalty, allowed, allowedFirst;
  };
  static ScoreRules of(const Op &op, Operands operands);
};

/// The score of what is forbidden.
constexpr double forbidden = -3.4028234663852886e38;

/// Scores [rows, vocabulary] after all that restricts them.
mlir::FailureOr<Tensor> restricted(const Search &search, const ScoreRules &rules, Tensor scores,
                                   const Sequences &sequences, bool isFirst);

/// Scores without tokens that Whisper's rules of timestamps forbid: times come in pairs and do not decrease, the first
/// is early, and one comes where times together are likelier than any word.
Tensor withTimestamps(const Op &op, const WhisperTokens &tokens, Tensor scores, const Sequences &sequences);

} // namespace sinter
