// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of com.microsoft that are packed in blocks: rows of numbers of 2, 4 or 8 bits, low bits first, with a scale
// and perhaps a zero point for each block of a row; or 4-bit codes of a table. Source: onnxruntime's reference of
// MatMulNBits, QMoE, GatherBlockQuantized and MatMulBnb4.
#pragma once

#include "lowering.h"

namespace sinter {

struct BlockQuantized {
  Tensor packed; ///< uint8 [rows..., bytes]
  Tensor scales; ///< [rows..., blocks]
  Tensor zeros;  ///< none (then half of the range); uint8 [rows..., bytes], packed as the numbers; or of scales' type
                 ///< and shape
  int64_t bits;
  int64_t block;      ///< elements of a row that share a scale
  Tensor groups = {}; ///< int32 [columns or more]: the scale of each column, where blocks do not follow each other

  /// Element `column` of a row, in float.
  mlir::Value element(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange row, mlir::Value column) const;
  /// Whether all of it is known when weights are written.
  bool isConstant() const;
};

/// The unsigned number of `bits` bits at `place` of a packed row.
mlir::Value unpackedBits(mlir::OpBuilder &b, mlir::Location loc, Tensor packed, mlir::ValueRange row, mlir::Value place,
                         int64_t bits);
/// index / by and index % by, for indices that are not negative.
mlir::Value quotient(mlir::OpBuilder &b, mlir::Location loc, mlir::Value index, int64_t by);
mlir::Value rest(mlir::OpBuilder &b, mlir::Location loc, mlir::Value index, int64_t by);

/// All of the weights, [rows..., columns], of this floating type.
Tensor dequantized(const Op &op, const BlockQuantized &weights, Size columns, ElementType to);
/// The same of constant ones, matrices [rows, columns], as one op "dequantize_blocks": products may take them packed
/// (passes/packing/pack_weights.cpp), and their other operand as bytes if `lhsBytes`. Without `isPacked` numbers and
/// zero points are tensors of integers of `bits` bits, signed or not. With an `order`, int32 [columns], column j is
/// number order[j] of a row.
Tensor constantBlocks(const Op &op, const BlockQuantized &weights, int64_t rows, int64_t columns, ElementType to,
                      bool lhsBytes, bool isPacked = true, Tensor order = {});

} // namespace sinter
