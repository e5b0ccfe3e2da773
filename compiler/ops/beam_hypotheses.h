// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best sequences of each member of a batch that a beam search has found to the end.
#pragma once

#include "generation.h"

namespace sinter {

/// tokens [batch, beams, most], behind their end the pad token; scores [batch, beams], the best first; used [batch],
/// int32: how many there are.
struct Hypotheses {
  Tensor tokens, scores, used;
};

/// Sequences that may come in: the score of each [batch, beams], whether it counts, and its row of tokens (index).
struct Arrivals {
  Tensor scores, counts, rows;
};

class HypothesisList {
public:
  HypothesisList(const Search &search, Tensor lengthPenalty)
      : search(search), op(search.op), lengthPenalty(lengthPenalty) {}

  llvm::SmallVector<Tensor> none() const;
  /// A sum of log-probabilities of `count` tokens as hypotheses are compared.
  mlir::Value normalized(const Scalars &s, mlir::Value sum, Size count) const;
  /// With arrivals of `count` tokens each: of equal ones those that were there, or came first, stay.
  Hypotheses with(const Hypotheses &known, const Arrivals &arrivals, const Sequences &sequences) const;

private:
  Tensor ranks(Tensor scores, Tensor counts) const;

  const Search &search;
  const Op &op;
  Tensor lengthPenalty;
};

} // namespace sinter
