// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/packing/support/cache_carriers.h"

#include "dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {

SmallVector<OpOperand *> chosenRows(Operation *op, int64_t size) {
  auto choice = dyn_cast<linalg::GenericOp>(op);
  if (!choice || choice->getNumResults() != 1 || choice.getNumParallelLoops() != choice.getNumLoops())
    return {};
  auto select = choice.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  auto last = static_cast<unsigned>(choice.getNumLoops()) - 1;
  if (!select || !choice.getBody()->getArguments().back().use_empty() ||
      !choice.getMatchingIndexingMap(choice.getDpsInitOperand(0)).isIdentity())
    return {};
  SmallVector<OpOperand *> rows;
  for (Value side : {select.getTrueValue(), select.getFalseValue()}) {
    auto argument = dyn_cast<BlockArgument>(side);
    if (!argument || argument.getOwner() != choice.getBody() || !argument.hasOneUse() ||
        argument.getArgNumber() >= choice.getNumDpsInputs())
      return {};
    OpOperand *from = choice.getDpsInputOperand(argument.getArgNumber());
    AffineMap map = choice.getMatchingIndexingMap(from);
    if (map.getNumResults() == 0 || map.getResults().back() != getAffineDimExpr(last, op->getContext()) ||
        cast<ShapedType>(from->get().getType()).getShape().back() != size)
      return {};
    rows.push_back(from);
  }
  for (OpOperand *read : choice.getDpsInputOperands())
    if (!llvm::is_contained(rows, read) && choice.getMatchingIndexingMap(read).isFunctionOfDim(last))
      return {};
  bool asksPlace = choice.getBody()
                       ->walk([&](linalg::IndexOp index) {
                         return index.getDim() == last ? WalkResult::interrupt() : WalkResult::advance();
                       })
                       .wasInterrupted();
  return asksPlace ? SmallVector<OpOperand *>() : rows;
}

void forEachCarried(Operation *op, int64_t size, llvm::function_ref<void(OpOperand &)> visit) {
  for (OpOperand *row : chosenRows(op, size))
    visit(*row);
  if (auto joined = dyn_cast<tensor::ConcatOp>(op))
    for (OpOperand &part : joined->getOpOperands())
      visit(part);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    visit(insert.getSourceMutable());
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (OpOperand &init : loop.getInitArgsMutable())
      visit(init);
    for (OpOperand &yielded : loop.getBody()->getTerminator()->getOpOperands())
      visit(yielded);
  }
  if (auto choice = dyn_cast<scf::IfOp>(op))
    for (Region &branch : choice->getRegions())
      for (OpOperand &yielded : branch.front().getTerminator()->getOpOperands())
        visit(yielded);
}

Value slotOf(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getTiedLoopResult(&use);
  if (isa<scf::YieldOp>(op))
    return op->getParentOp()->getResult(number);
  return op->getResult(0);
}

} // namespace sinter
