// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What com.microsoft's attentions have in common: queries, keys and values with heads apart, masks of integers, in
// terms of ONNX's Attention.
#pragma once

#include "ops/lowering.h"

namespace sinter {

struct Heads {
  Tensor q, k, v; ///< [batch, heads, sequence, size]
  Tensor pastKey, pastValue, mask, bias;
};

/// ONNX's Attention on these. Results: y, the keys and values with those of the past, and if asked for the scores.
mlir::FailureOr<llvm::SmallVector<Tensor>> attentionOfHeads(Op &op, const Heads &a, bool isCausal, bool showsScores);

} // namespace sinter
