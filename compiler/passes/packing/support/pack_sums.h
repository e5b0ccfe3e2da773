// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over the pixels of 8-bit feature maps as calls of templates/dual/channel_sums.h.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

/// Replaces a loop nest that adds x[n, block, h, w, c], less a constant, to sums[n, block, c].
void packSums(mlir::linalg::GenericOp nest);

} // namespace sinter
