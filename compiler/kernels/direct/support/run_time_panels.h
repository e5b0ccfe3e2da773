// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of templates/direct/gemm_turned.h: a right-hand side made at run time comes to scratch in panels.
#pragma once

#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"

namespace sinter {

/// Scratch of more bytes leaves the first-level cache.
constexpr int64_t kMostPanelBytes = 64 << 10;

Tile tileOfPanels(MatmulOp op, const Target &target);
/// A panel of B's columns, for each share of the work; 0 where sizes are not known.
int64_t bytesOfPanel(MatmulOp op, const Target &target);

/// A call of `function`, whose rows of B are as far apart as `pitch` says.
ContractionCall callByPanels(MatmulOp op, const Target &target, llvm::StringRef function, CallArgument pitch);

KernelScratch scratchOfPanel(MatmulOp op, const Target &target);

} // namespace sinter
