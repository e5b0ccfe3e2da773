// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels could compute a contraction: --dump-choices.
#pragma once

#include "target/target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace sinter {

/// For each contraction of a module that choose-kernels is about to see: its nodes, and of all kernels in the order in
/// which they are asked whether it is the one, could be, or why not.
void printChoices(mlir::ModuleOp module, const Target &target, llvm::raw_ostream &out);

} // namespace sinter
