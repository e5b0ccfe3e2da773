// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasting of binary operators over the opsets: numpy's since 7; before, only where `broadcast` = 1, from `axis`
// on.
#pragma once

#include "lowering.h"

namespace sinter {

/// Sets the node's result to body over its two inputs, broadcast as the node's version says.
mlir::LogicalResult resultBroadcasting(Op &op, ElementType out, Tensors::BodyFn body);

} // namespace sinter
