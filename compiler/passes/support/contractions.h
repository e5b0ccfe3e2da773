// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contractions of a module, for passes that rewrite them one by one.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// Its convolutions and matrix products, in program order. Those of constants are left out: they are computed at
/// compile time, as they are.
llvm::SmallVector<mlir::Operation *> contractionsOf(mlir::ModuleOp module);

/// Of a convolution of a volume: can its taps of depth be channels or rows of planes? Channels in one group only, rows
/// where those of a window are adjacent.
bool hasTapsOfPlanes(ConvOp conv);

} // namespace sinter
