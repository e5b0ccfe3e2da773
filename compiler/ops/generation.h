// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens one after the other, as com.microsoft's searches make them: a model (generation_models.h) says what scores the
// next tokens have, a choice (token_choices.h) which of them come next, and both take turns in a loop over buffers for
// all tokens that there may be.
#pragma once

#include "lowering.h"

namespace sinter {

/// What a search is told of its sequences.
struct Search {
  explicit Search(const Op &op) : op(op) {}

  const Op &op;
  int64_t pad = 0, end = 0;
  int64_t beams = 1; ///< sequences of each member of the batch, side by side
  Size batch, rows;  ///< rows: all sequences
  Size length, most; ///< tokens before the first that is chosen, and that there may be at the end
};

/// What a model makes in a step: scores [rows, vocabulary] of the token behind each sequence, as floats, and what it
/// knows of the tokens so far.
struct Step {
  Tensor logits;
  llvm::SmallVector<Tensor> presents;
};

/// Tokens [rows, most], of which there are `count`.
struct Sequences {
  Tensor tokens;
  Size count;
};

class TokenModel {
public:
  virtual ~TokenModel() = default;
  /// The tokens that there are before the first step, [rows, length], and that step.
  virtual mlir::FailureOr<Tensor> prompt() = 0;
  virtual mlir::FailureOr<Step> begin() = 0;
  /// The step behind the prompt and `index` tokens more, `seen` in all, and one that it has not seen yet.
  virtual mlir::FailureOr<Step> next(const Sequences &sequences, Size seen, mlir::Value index,
                                     llvm::ArrayRef<Tensor> pasts) = 0;
  /// Buffers of the past: before the first step, and after one that made `step` and after which row i goes on where row
  /// origins[i] was (null: where it was itself).
  virtual llvm::SmallVector<Tensor> emptyPasts() = 0;
  virtual mlir::FailureOr<llvm::SmallVector<Tensor>> updated(llvm::ArrayRef<Tensor> pasts, const Step &step, Size count,
                                                             Tensor origins) = 0;
};

/// What comes behind each sequence; origins [rows], int64: the row whose tokens are in front of it, null for its own.
struct Chosen {
  Tensor tokens, origins;
  llvm::SmallVector<Tensor> state;
};

class TokenChoice {
public:
  virtual ~TokenChoice() = default;
  /// What a choice carries from step to step, of fixed sizes.
  virtual llvm::SmallVector<Tensor> initial(Size vocabulary) = 0;
  virtual mlir::FailureOr<Chosen> choose(Tensor logits, const Sequences &sequences, bool isFirst,
                                         llvm::ArrayRef<Tensor> state) = 0;
  /// bool[]: whether any sequence is to be continued.
  virtual Tensor goesOn(llvm::ArrayRef<Tensor> state) = 0;
};

/// The operator's tokens [rows, most], behind the end of all sequences the pad token, then the choice's state.
mlir::FailureOr<llvm::SmallVector<Tensor>> generated(Op &op, const Search &search, TokenModel &model,
                                                     TokenChoice &choice);

/// `most` of a search: max_length, input 1, bounded as the last dim of output 0 is, whose other dims are `leading`. It
/// must be more than `length`.
mlir::FailureOr<Size> mostTokens(Op &op, llvm::ArrayRef<Size> leading, Size length);

// Parts of tensors.
/// Each member along dim 0 so many times, side by side.
Tensor repeated(const Op &op, Tensor x, int64_t times);
/// `part` put into `whole` at place `at` of `axis`.
Tensor inserted(const Op &op, Tensor whole, Tensor part, int64_t axis, Size at);
/// Whether any element of a vector of truths holds: bool[].
Tensor anyOf(const Op &op, Tensor truths);
/// A size as int32 [1].
Tensor numberOf(const Op &op, Size size);

} // namespace sinter
