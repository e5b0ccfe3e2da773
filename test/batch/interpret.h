// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter on a model's recorded inputs, wherever a compilation stands.
#pragma once

#include "driver/host_array.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace sinter {

/// The outputs of tensor IR, in the graph's order. The message names the op that could not be run, or the input that
/// does not fit.
llvm::Expected<std::vector<HostArray>> interpret(mlir::ModuleOp module, llvm::ArrayRef<HostArray> inputs);

} // namespace sinter
