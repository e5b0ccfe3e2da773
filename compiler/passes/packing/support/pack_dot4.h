// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of bytes for templates/dot4/int_gemm.h, int_conv.h and int_depthwise.h: x86, AArch64 and plain vectors.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// The kind of bytes that the target's instruction takes as activations; nothing where it takes both.
std::optional<bool> wantsUnsigned(const Target &target);

/// Rewrites the contractions that these templates take.
void packDot4(mlir::ModuleOp module, const Target &target);

} // namespace sinter
