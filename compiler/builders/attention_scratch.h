// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scratch of the kernel attention_heads, for the largest and the smallest of all targets' tiles: what
// templates/attention/attention_shape.h lays out.
#pragma once

#include "ir/dialect.h"
#include "sizes.h"

namespace sinter {

/// Floats of scratch for operands [batch, heads, length, size]; k and v may be rows of bytes (cache_rows.h).
Size attentionScratch(mlir::OpBuilder &b, mlir::Location loc, mlir::Value q, mlir::Value k, mlir::Value v);
/// Scratch of that size for an attention_heads on tensors whose operands have changed.
void renewScratch(KernelOp attention);

} // namespace sinter
