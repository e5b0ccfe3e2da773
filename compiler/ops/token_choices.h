// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How searches choose the next tokens: the best of each sequence, one drawn by its probability, or the best
// continuations of several sequences (beam_search.h).
#pragma once

#include "token_scores.h"

namespace sinter {

/// One token for each sequence, until all have ended; behind its end a sequence has the pad token.
class SingleChoice : public TokenChoice {
public:
  SingleChoice(const Search &search, ScoreRules rules) : search(search), op(search.op), rules(std::move(rules)) {}

  llvm::SmallVector<Tensor> initial(Size vocabulary) override;
  mlir::FailureOr<Chosen> choose(Tensor logits, const Sequences &sequences, bool isFirst,
                                 llvm::ArrayRef<Tensor> state) override;
  Tensor goesOn(llvm::ArrayRef<Tensor> state) override;

protected:
  /// A token [rows], int32, of restricted scores; `state` is what is carried behind whether a sequence has ended.
  virtual mlir::FailureOr<Tensor> pick(Tensor scores, Size count, llvm::MutableArrayRef<Tensor> state) = 0;
  virtual llvm::SmallVector<Tensor> initialOwn(Size) { return {}; }

  const Search &search;
  const Op &op;
  ScoreRules rules;
};

class BestToken : public SingleChoice {
public:
  using SingleChoice::SingleChoice;

private:
  mlir::FailureOr<Tensor> pick(Tensor scores, Size count, llvm::MutableArrayRef<Tensor> state) override;
};

/// What remains of the likeliest tokens, and the numbers that draw from it.
struct Draw {
  double topP = 0, filterValue = 0;
  int64_t fewest = 0;       ///< tokens that remain whatever topP says, at the least
  bool isCustom = false;    ///< counted from the likeliest on, instead of from the unlikeliest
  mlir::Value seed;         ///< i64
  bool keepsScores = false; ///< the scores that the last step drew from are wanted
};

class DrawnToken : public SingleChoice {
public:
  DrawnToken(const Search &search, ScoreRules rules, Draw draw) : SingleChoice(search, std::move(rules)), draw(draw) {}

private:
  mlir::FailureOr<Tensor> pick(Tensor scores, Size count, llvm::MutableArrayRef<Tensor> state) override;
  llvm::SmallVector<Tensor> initialOwn(Size vocabulary) override;
  mlir::FailureOr<Tensor> filtered(Tensor scores) const;
  Draw draw;
};

} // namespace sinter
