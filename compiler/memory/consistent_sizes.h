// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of run time that a call may have together. The largest of each alone contradict what the function asserts of
// them: an input [w, h] with w = 3 h, both at most 16, is [15, 5] and never [16, 16].
#pragma once

#include "view_runs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sinter {

/// Sizes of the function's dims that its assertions allow, large ones where lowering one dim after the other finds
/// them; nullopt where none are found.
std::optional<Numbers> consistentSizes(mlir::func::FuncOp function);

} // namespace sinter
