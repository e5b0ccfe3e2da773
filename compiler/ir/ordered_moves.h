// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves within a block for passes that ask, move after move, which of two ops comes first. Operation::moveBefore
// forgets the order of the whole block, and the next question counts it anew: quadratic time. These forget that of the
// moved op alone.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace sinter {

inline void moveInFrontOf(mlir::Operation *op, mlir::Operation *point) {
  op->remove();
  point->getBlock()->getOperations().insert(point->getIterator(), op);
}

inline void moveBehind(mlir::Operation *op, mlir::Operation *point) {
  op->remove();
  point->getBlock()->getOperations().insertAfter(point->getIterator(), op);
}

} // namespace sinter
