// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small questions that passes on node IR ask of a value: which node made it, is it a constant number.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// The node of the standard domain called `opType` that makes `value`, or null.
NodeOp producer(mlir::Value value, llvm::StringRef opType);
/// The same, if `value` has no other user: the node disappears when its consumer is rewritten.
NodeOp soleProducer(mlir::Value value, llvm::StringRef opType);
/// The one number that a floating-point weight holds in every element, if a sum or product with it has the shape that
/// `other` has. Where that is not known it is taken to have a dim.
std::optional<double> splatNumber(mlir::Value value, mlir::Value other);
/// An INT attribute (defaults are filled in).
std::optional<int64_t> integerAttribute(NodeOp node, llvm::StringRef name);

} // namespace sinter
