// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of small numbers that share scales in blocks along k, as ops/block_quantized.h makes them of constants.
#pragma once

#include "ir/dialect.h"

namespace sinter {

struct BlockWeightsOp {
  KernelOp op;       ///< "dequantize_blocks": [n, k] numbers, what packs them
  bool isTransposed; ///< the value is its result as [k, n]

  mlir::Value packed() { return op.getInputs()[0]; }
  mlir::Value scales() { return op.getInputs()[1]; }
  mlir::Value zeros() { return op.getInputs().size() > 2 ? mlir::Value(op.getInputs()[2]) : mlir::Value(); }
  int64_t number(llvm::StringRef name) { return op.getParams().getAs<mlir::IntegerAttr>(name).getInt(); }
  /// Whether products may take their other operand's rows as bytes.
  bool lhsBytes() { return op.getParams().getAs<mlir::BoolAttr>("lhs_bytes").getValue(); }
};

/// What a value is made of, seen through transposes of its two dims.
std::optional<BlockWeightsOp> blockWeightsOf(mlir::Value value);

} // namespace sinter
