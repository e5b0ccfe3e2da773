// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs whose numbers choose among the rows of something: tokens, positions, segments. Who makes up values for a model
// has to stay within.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace sinter {

/// By the name of an input of the graph: how many rows there are to choose from, the fewest that any reader has.
llvm::StringMap<int64_t> indexSizesOf(mlir::ModuleOp module);

} // namespace sinter
