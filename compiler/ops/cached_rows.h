// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Caches of keys and values [batch, heads, length, size], into which a call puts new rows behind those of the past:
// what com.microsoft's attentions with caches have in common.
#pragma once

#include "ops/lowering.h"

namespace sinter {

struct Rows {
  Tensor valid; ///< [batch], int64: rows that count, no fewer than are new
  Tensor past;  ///< [batch], int64: rows of the past
};

/// [batch, steps]: where the new rows stand.
Tensor positionsOf(const Op &op, const Rows &rows, Size batch, Size steps);
/// A cache with what belongs to a member of the batch put into it.
using PutMemberFn = llvm::function_ref<mlir::Value(mlir::OpBuilder &b, mlir::Value cache, Size member)>;
/// The cache with what `put` does to it for each member of the batch, in a loop where there are several.
mlir::Value forEachMember(const Tensors &t, Size batch, mlir::Value cache, PutMemberFn put);
/// The cache with the new rows in their place and all else as it is: what is written of a cache that stays where it is.
/// A row that has no place in it ends the call.
Tensor appended(const Op &op, Tensor past, Tensor fresh, const Rows &rows);
/// Queries and keys [batch, heads, steps, size] turned by their positions [batch, steps] (attribute
/// rotary_interleaved).
mlir::LogicalResult turnByPosition(const Op &op, llvm::ArrayRef<Tensor *> turned, Tensor cosines, Tensor sines,
                                   Tensor positions);

} // namespace sinter
