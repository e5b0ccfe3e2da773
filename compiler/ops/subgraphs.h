// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fits between a node and its subgraphs: how many values go in and come out, and of which types.
#pragma once

#include "lowering.h"

namespace sinter {

/// The subgraph attribute `name`, which takes and gives so many values; reported where it is missing or does not.
mlir::FailureOr<mlir::Region *> subgraphOf(const Op &op, llvm::StringRef name, size_t arguments, size_t results);
/// Reports a value that stands for another on one path ("what" both are) and has another element type.
mlir::LogicalResult checkSameElement(const Op &op, const llvm::Twine &what, Tensor one, Tensor other);

} // namespace sinter
