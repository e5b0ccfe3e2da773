// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rule (rule.h) held against a node whose operands are converted: names bind to sizes where they first stand and must
// be equal after. What is known to be wrong is reported; what only the sizes of a call can tell becomes sinter.require.
#pragma once

#include "frontend/schema.h"
#include "lowering.h"
#include "rule.h"

namespace sinter {

/// Reports the first thing that does not fit.
mlir::LogicalResult checkRule(const Op &op, const Rule &rule, const OperatorSchema &schema);
/// What `shapes` are once the rule, which has been checked, says what its names stand for; what only a call can tell of
/// them is required. Reports the first of which a size is not known.
mlir::FailureOr<llvm::SmallVector<Sizes>> shapesByRule(const Op &op, const Rule &rule, const OperatorSchema &schema,
                                                       llvm::ArrayRef<RuleShape> shapes);
/// How many operands the node has, which may be absent, and their types, as the schema has them.
mlir::LogicalResult checkOperands(const Op &op, const OperatorSchema &schema);
/// Types of results, which attributes choose (dtype) and schemas bound.
mlir::LogicalResult checkResults(const Op &op, const OperatorSchema &schema);

} // namespace sinter
