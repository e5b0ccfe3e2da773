// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state that has more rows behind a call than before it, as caches of keys and values have: its memory is a buffer of
// stated capacity, the bound of the dim that grows, and the call's input is the part of it that is in use. What then
// spares the copy of the rows that stay: append_states.cpp.
#pragma once

#include "lowering.h"

namespace sinter {

struct GrowingState {
  int64_t axis;     ///< along which it grows
  int64_t capacity; ///< the most rows
  mlir::Value part; ///< the input: what of the buffer is in use
  Size rows;        ///< so many are in use behind the call
  Tensor whole;     ///< the buffer behind the call
};

/// The axis in which an output and an input (as sinter.outputs and sinter.inputs describe them) differ, if it is one
/// and the input's size there is a symbol.
std::optional<int64_t> growingAxis(mlir::DictionaryAttr output, mlir::DictionaryAttr input);

/// Gives the input `old` (what bufferization.to_tensor makes of a sinter.input) its capacity along `axis`, and puts
/// `made` into the buffer's first rows; a call that would make more rows than there may be ends with status 3.
GrowingState growState(mlir::OpBuilder &builder, mlir::Value old, Tensor made, int64_t axis);

/// In front of all that writes them: a call with more rows than `capacity` ends with status 3.
void requireRowsToFit(const Tensors &at, Size rows, int64_t capacity);

/// Where a choice (scf.if) gives what `put` inserts into a state's buffer, each branch inserts its own, and the choice
/// gives the buffer. Returns the branches' insertions; nothing, and nothing is changed, where it cannot be so.
llvm::SmallVector<mlir::tensor::InsertSliceOp> putInBranches(mlir::tensor::InsertSliceOp put);

/// Once all is converted: of each growing state only the rows that are new are written, where it can be so.
void appendToStates(mlir::func::FuncOp main);

} // namespace sinter
