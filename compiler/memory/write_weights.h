// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants leave the IR: each sinter.constant is evaluated, its bytes are handed over, and it keeps their offset.
#pragma once

#include "diagnostics/diagnostics.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Takes the bytes of a constant, which are elements of that type, and gives their offset, or -1.
using AppendWeights = llvm::function_ref<int64_t(llvm::ArrayRef<char>, mlir::Type)>;

/// Of all modules of a source; one constant at a time, so that no more than one is in memory. Sets each constant's
/// `offset` and, on functions, `sinter.weights_bytes`. Constant strings get `sinter.strings` instead, an array of their
/// texts. Each begins at a multiple of `alignment`. What is read most per byte comes first as far as it fits into
/// `inRam` bytes
/// (--weights-in-ram); `sinter.weights_in_ram` on functions is how many bytes that are. Reports a constant for which
/// the model is to blame: an index out of range (ShapeMismatch), work without measure (TooManyElements).
mlir::LogicalResult writeWeights(llvm::ArrayRef<mlir::ModuleOp> planned, AppendWeights append, Diagnostics &diagnostics,
                                 int64_t alignment, int64_t inRam = 0);

} // namespace sinter
