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
/// The cache with the new rows in their place and all else as it is: what is written of a cache that stays where it is.
/// A row that has no place in it ends the call.
Tensor appended(const Op &op, Tensor past, Tensor fresh, const Rows &rows);
/// Queries and keys [batch, heads, steps, size] turned by their positions [batch, steps] (attribute
/// rotary_interleaved).
mlir::LogicalResult turnByPosition(const Op &op, llvm::ArrayRef<Tensor *> turned, Tensor cosines, Tensor sines,
                                   Tensor positions);

} // namespace sinter
