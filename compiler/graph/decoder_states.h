// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What recurrent layers go on from (state spaces, gated and linear attention, convolutions over what came last): states
// of one size in each call, made anew of what they were by whatever operators.
#pragma once

#include "graph/decoder_caches.h"

#include "llvm/ADT/SetVector.h"

namespace sinter {

/// The arguments of @main whose numbers a value is made of, by whatever operators. `budget`: how many values may be
/// looked at.
llvm::SmallSetVector<unsigned, 8> argumentsOf(mlir::Value value, mlir::func::FuncOp main, size_t &budget);

/// Adds to `caches` the outputs that are none yet, of a size that each call has, with the inputs of that size that they
/// are made of. `budget`: how many values are looked at.
void addStates(mlir::func::FuncOp main, std::vector<DecoderCache> &caches, size_t budget);

} // namespace sinter
