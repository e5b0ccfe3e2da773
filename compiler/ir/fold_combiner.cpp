// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fold_combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sinter {

Operation *combinerOf(linalg::GenericOp nest) {
  Block *body = nest.getBody();
  Operation *yield = body->getTerminator();
  if (nest.getNumDpsInits() != 1)
    return nullptr;
  Operation *op = yield->getOperand(0).getDefiningOp();
  Value accumulator = body->getArguments().back();
  if (!op || op->getBlock() != body || !accumulator.hasOneUse() || *accumulator.user_begin() != op || !op->hasOneUse())
    return nullptr;
  Type type = op->getResult(0).getType();
  bool isChoice = isa<arith::MaximumFOp, arith::MinimumFOp>(op);
  bool isKnown = isChoice || isa<arith::AddFOp, arith::MulFOp, arith::AddIOp, arith::MulIOp, arith::MaxSIOp,
                                 arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp>(op);
  bool isRounded = isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  return isKnown && !type.isInteger(1) && (isChoice || !isRounded) ? op : nullptr;
}

} // namespace sinter
