// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on node IR, where the ONNX structure is still visible; each a free function in a file of its name. Order: passes.def of compiler/passes.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// softmax(scale * Q K + mask) V spelled in MatMul, Mul, Div, Add, Softmax, MatMul becomes one node `FusedAttention` of domain "sinter".
mlir::LogicalResult recognizeAttention(mlir::ModuleOp module);

} // namespace sinter
