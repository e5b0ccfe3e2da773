// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "selection_fold.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {
namespace {

/// Whether a condition is made of comparisons of these two values with each other or with themselves.
bool compares(Value condition, Value element, Value best) {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    return compares(op->getOperand(0), element, best) && compares(op->getOperand(1), element, best);
  return isa<arith::CmpFOp, arith::CmpIOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value value) { return value == element || value == best; });
}

void collectComparing(Value condition, SmallVector<Operation *> &ops) {
  Operation *op = condition.getDefiningOp();
  if (llvm::is_contained(ops, op))
    return;
  ops.push_back(op);
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    for (Value operand : op->getOperands())
      collectComparing(operand, ops);
}

} // namespace

bool isSelectionFold(const Nest &nest) {
  if (llvm::count(nest.isReduction, true) != 1)
    return false;
  SmallVector<BlockArgument> outputs;
  for (const NestOperand &operand : nest.operands)
    if (operand.isOutput)
      outputs.push_back(operand.argument);
  Operation *yield = nest.body->getTerminator();
  if (outputs.size() != 2 || yield->getNumOperands() != 2)
    return false;
  auto value = yield->getOperand(0).getDefiningOp<arith::SelectOp>(),
       place = yield->getOperand(1).getDefiningOp<arith::SelectOp>();
  if (!value || !place || value.getCondition() != place.getCondition() || value.getFalseValue() != outputs[0] ||
      place.getFalseValue() != outputs[1] || !outputs[1].hasOneUse())
    return false;
  auto cast = place.getTrueValue().getDefiningOp<arith::IndexCastOp>();
  auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
  int dim = index ? nest.dimOf[index.getDim()] : -1;
  return dim >= 0 && nest.isReduction[dim] && compares(value.getCondition(), value.getTrueValue(), outputs[0]);
}

SelectionFold selectionFoldOf(const Nest &nest) {
  Operation *yield = nest.body->getTerminator();
  auto value = yield->getOperand(0).getDefiningOp<arith::SelectOp>(),
       place = yield->getOperand(1).getDefiningOp<arith::SelectOp>();
  SelectionFold fold{cast<BlockArgument>(value.getFalseValue()),
                     cast<BlockArgument>(place.getFalseValue()),
                     value.getTrueValue(),
                     value.getCondition(),
                     {},
                     {}};
  collectComparing(fold.isBetter, fold.comparing);
  fold.placing = {value, place, place.getTrueValue().getDefiningOp()};
  return fold;
}

} // namespace sinter
