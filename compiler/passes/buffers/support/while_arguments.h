// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf.while with one order of values everywhere, which is what bufferization pairs buffers by.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace sinter {

/// Rewrites the loop so that its condition hands on just what it is given, in that order, and behind it what it
/// computes. (Canonical forms drop, merge and reorder these values.)
void passArgumentsOn(mlir::IRRewriter &rewriter, mlir::scf::WhileOp loop);

} // namespace sinter
