// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes for templates/quads/int_gemm.h, int_conv.h and int_depthwise.h: x86, AArch64 and plain vectors.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// Rewrites the products that these templates take.
void packQuads(mlir::ModuleOp module, const Target &target);

} // namespace sinter
