// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels could compute a contraction: --dump-choices.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace sinter {

/// For each contraction of a module that choose-kernels has seen: its nodes, and of all kernels in the order in which
/// they were asked whether it is the one, could be, or why not, and what it would cost where that is known.
void printChoices(mlir::ModuleOp module, llvm::raw_ostream &out);

/// The same for one kernel that an op was offered to.
void printChoice(mlir::Operation *contraction, llvm::StringRef kernel, llvm::raw_ostream &out);

/// For each depthwise convolution that fuse-inverted-residuals has seen: whether it is in a launch with those beside
/// it, with which tile, or why not.
void printFusedBlocks(mlir::ModuleOp module, llvm::raw_ostream &out);

} // namespace sinter
