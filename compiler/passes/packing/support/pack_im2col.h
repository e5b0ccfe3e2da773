// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/im2col/support/im2col_core.h"
#include "target/wishes.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Contractions of bytes for ByteKernels::Im2col.
void packIm2col(mlir::ModuleOp module, const Im2colCore &core, Requant requant);

} // namespace sinter
