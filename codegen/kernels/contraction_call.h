// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's call, as its record describes it (kernels/contraction_call.h).
#pragma once

#include "kernel_list.h"
#include "kernels/contraction_call.h"

namespace sinter {

/// `print` makes the text of an argument that depends on the op; they are asked for from left to right.
Printed printContractionCall(const ContractionCall &call, KernelFunction &function, mlir::Value scratch,
                             llvm::function_ref<PrintedCode(const CallArgument &)> print);

/// On a GPU: the grid of a function that makes `elements` outputs, as a matrix `rows` x `columns`; sizes are local.
void launchTiles(const ContractionCall &call, const SizeExpr &elements, const SizeExpr &rows, const SizeExpr &columns,
                 KernelFunction &function);
/// The same where each of `matrices` has rows of its own, which one block each has as a whole.
void launchRows(const ContractionCall &call, const SizeExpr &rows, const SizeExpr &matrices, KernelFunction &function);
/// `function<arguments...>`, of those that depend on no op.
PrintedCode calleeOf(const ContractionCall &call);

/// The last init of a contraction that is cut along k.
PrintedCode countersOf(mlir::Operation *op, KernelFunction &function);

/// Whether the call has an argument of this kind.
bool takes(const ContractionCall &call, CallArgument::Kind kind);

} // namespace sinter
