// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Loop in memory: its values as tensors (loop_builder.h), of which a form says what they are. Other ways to lower
// one: onnx/loop.cpp.
#pragma once

#include "forms.h"

namespace sinter {

/// What a loop leaves: carried values, then collected tensors.
using LoopValues = mlir::FailureOr<llvm::SmallVector<Converted>>;

/// The number of an iteration, or whether there is a next one, as argument `i` of the body: a scalar, or a vector of
/// one where the body states that shape, as tf2onnx has it.
Converted bodyScalar(const Op &op, mlir::OpBuilder &b, mlir::Region &body, unsigned i, ElementType element,
                     mlir::Value stored);

/// `condition`: before the first iteration. `mayChangeRank`: a carried tensor is one whose rank only a call knows where
/// iterations make another rank, which else is a problem. `done`: iterations that came before.
LoopValues lowerInMemory(Op &op, mlir::Region &body, llvm::ArrayRef<Converted> carried, std::optional<Size> trips,
                         Tensor condition, bool mayChangeRank, int64_t done);

} // namespace sinter
