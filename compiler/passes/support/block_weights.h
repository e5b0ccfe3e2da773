// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant matrices that are small numbers with scales, (number - zero) * scale, where rows of numbers share a scale in
// blocks or as a whole: what MatMulNBits has (ops/block_quantized.h), and what any other ops compute of integers of at
// most 8 bits, as DequantizeLinear per tensor, channel or block does, or Cast, Sub, Mul and Reshape.
#pragma once

#include "interpreter/interpreter.h"
#include "ir/dialect.h"

namespace sinter {

/// Operands and parameters of "pack_blocks" (interpreter/block_numbers.h says what they mean): [rows, columns] numbers.
struct BlockWeights {
  mlir::Value numbers, scales, zeros; ///< zeros may be null
  mlir::Value order;                  ///< of the numbers of a row; null: as they are
  int64_t rows, columns, bits, block;
  bool isPacked, isSigned;
  int64_t low = 0;       ///< of numbers that are not packed: what counts as 0
  bool lhsBytes = false; ///< products may take their other operand's rows as bytes
};

/// The op "dequantize_blocks" that a value is, seen through transposes; null for others. `isTransposed`: the value is
/// its result as [columns, rows].
KernelOp dequantizedBlocks(mlir::Value value, bool &isTransposed);

/// What a constant matrix is made of: [rows, columns] where it `hasRows`, else [columns, rows]. Scales along columns,
/// and what else is no such matrix, are nothing. New values stand in front of the builder's point.
std::optional<BlockWeights> blockWeightsOf(mlir::OpBuilder &b, mlir::Value matrix, bool hasRows,
                                           EvaluationCache &cache);

} // namespace sinter
