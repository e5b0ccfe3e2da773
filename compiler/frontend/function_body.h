// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that ONNX defines by a function of other operators (Softplus, HardSwish, MeanVarianceNormalization, ...):
// what conversion does with those that have no lowering of their own.
#pragma once

#include "frontend/schema.h"
#include "ir/dialect.h"
#include "mlir/IR/Builders.h"

namespace sinter {

/// Whether the schema of this node has a body that does not depend on the node's types: then expandFunctionBody
/// replaces it.
bool hasFunctionBody(NodeOp node);

/// Replaces `node` by the nodes of its schema's body, attributes substituted, and erases it. Fails, leaving the IR as
/// it was, where there is no body. The body is taken for the opset that the module states; its nodes carry their own
/// versions.
mlir::LogicalResult expandFunctionBody(NodeOp node, mlir::OpBuilder &builder);

/// The operators that a body is made of, in the versions that its opsets mean; null for one that no schema describes.
llvm::SmallVector<const OperatorSchema *> operatorsOf(const SchemaBody &body);

} // namespace sinter
