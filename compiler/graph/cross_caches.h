// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first call of a decoder behind an encoder makes keys and values of cross-attention, which later calls only read.
// They depend on the encoder's states alone, so they are made when these are: by the graph of the first call with all
// else left out.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace sinter {

/// The outputs of @main that depend on tensors of floats that are given, and on nothing else but sizes.
std::vector<std::string> crossCachesOf(mlir::ModuleOp module);

/// Leaves of a model's outputs those with these names, and of its inputs those that are still read.
void keepOutputs(mlir::ModuleOp module, llvm::ArrayRef<std::string> names);
/// Leaves those outputs, by their places, and all inputs.
void keepOutputsAt(mlir::ModuleOp module, llvm::function_ref<bool(unsigned)> isKept);

} // namespace sinter
