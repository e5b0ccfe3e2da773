// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ai.onnx.preview.training.Gradient: derivatives of a value by others, as nodes.
#pragma once

#include "diagnostics/diagnostics.h"
#include "ir/dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

/// Replaces each Gradient by reverse-mode differentiation of the nodes between what it names: of xs and zs, which are
/// independent of each other, and y. The importer has put those values behind the node's operands: for
/// (a, b) with xs = [A], zs = [B] the node reads a, b, A, B, y. Where a is not A, the nodes in between are computed
/// again of a. A result has the shape of its x; y of more elements than one counts as their sum.
/// `expand` replaces a node by its schema's function body, which is how operators without a rule may have one.
/// Problems are reported.
mlir::LogicalResult differentiate(mlir::ModuleOp module, Diagnostics &diagnostics,
                                  llvm::function_ref<mlir::LogicalResult(NodeOp, mlir::OpBuilder &)> expand);

} // namespace sinter
