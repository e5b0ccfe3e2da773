// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best continuations of several sequences (beams) of each member of the batch: in each step the likeliest 2 * beams
// of all continuations of its beams are candidates; those that end are hypotheses, the others the next beams. A member
// is done when no beam can become better than its worst hypothesis.
#pragma once

#include "beam_hypotheses.h"
#include "token_choices.h"

namespace sinter {

class BeamChoice : public TokenChoice {
public:
  /// lengthPenalty: float[]. Wants the scores of each step, [steps, batch, beams, vocabulary], as output 2.
  BeamChoice(const Search &search, ScoreRules rules, Tensor lengthPenalty, bool stopsEarly, bool keepsScores)
      : search(search), op(search.op), rules(std::move(rules)), hypotheses(search, lengthPenalty),
        stopsEarly(stopsEarly), keepsScores(keepsScores) {}

  llvm::SmallVector<Tensor> initial(Size vocabulary) override;
  mlir::FailureOr<Chosen> choose(Tensor logits, const Sequences &sequences, bool isFirst,
                                 llvm::ArrayRef<Tensor> state) override;
  Tensor goesOn(llvm::ArrayRef<Tensor> state) override;

  /// The hypotheses, of members that are not done with their beams added: tokens [batch, beams, most], scores
  /// [batch, beams], the best first. `made`: tokens and state that a search left.
  mlir::FailureOr<Hypotheses> finished(llvm::ArrayRef<Tensor> made);
  /// What is kept of the scores.
  Tensor scoresOf(llvm::ArrayRef<Tensor> made) const { return made.back(); }
  /// Log-probabilities [rows, vocabulary] of the first step, before anything restricts them.
  Tensor firstShares;

private:
  struct Candidates {
    Tensor scores, tokens, beams; ///< [batch, 2 * beams], the likeliest first
    Tensor isEnd;
  };
  mlir::FailureOr<Tensor> totals(Tensor logits, const Sequences &sequences, bool isFirst, Tensor beamScores);
  Candidates likeliest(Tensor totals) const;
  Tensor continuing(const Candidates &candidates) const;
  Tensor nowDone(const Candidates &candidates, const Hypotheses &known, Size count, Tensor done) const;
  Tensor pickedOr(Tensor from, Tensor places, Tensor done, int64_t fallback) const;

  const Search &search;
  const Op &op;
  ScoreRules rules;
  HypothesisList hypotheses;
  bool stopsEarly, keepsScores;
};

} // namespace sinter
