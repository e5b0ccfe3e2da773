// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operands an op may be given in the memory that it writes.
#pragma once

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace sinter {

/// Operands of which the op reads, before it writes an element of `init`, just the element at the same coordinates;
/// never later.
llvm::SmallVector<mlir::OpOperand *> readInPlace(mlir::DestinationStyleOpInterface op, mlir::OpOperand &init);

} // namespace sinter
