// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that say with a condition how often they run: for who plans memory by the number of iterations, or unrolls.
#pragma once

#include "lowering.h"

namespace sinter {

/// The most iterations of a loop which goes on while a count is below a number that stays the same: `i < n`, where i is
/// the number of the iteration or a carried value to which each adds a positive constant. As many run unless something
/// else ends the loop. Nothing where the condition is of another form, or nobody knows how large the number may be.
std::optional<Size> tripsOfCount(Op &op, mlir::Region &body, llvm::ArrayRef<Converted> carried);

} // namespace sinter
