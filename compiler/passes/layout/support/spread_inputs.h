// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zeros between the elements of a convolution's input, as a transposed convolution inserts them, become its spreads.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// Of convolutions that will have kernels which leave such zeros out (templates/panels/conv.h).
void foldSpreads(mlir::ModuleOp module, const Target &target);

} // namespace sinter
