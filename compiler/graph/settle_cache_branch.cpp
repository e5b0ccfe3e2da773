// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A merged decoder is one If: whether there are caches (use_cache_branch) decides between a graph without and one with
// them. A session always has caches, of no rows at first. So the branch that reads them takes the If's place, and the
// input that chose is gone, as are inputs that only the other branch reads. The graph of a first call, of which
// cross_caches.h speaks, is the other branch.
#include "passes.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace sinter {
namespace {

/// The Ifs that the argument chooses for, if it does nothing else.
bool choosesOnly(BlockArgument argument, SmallVectorImpl<NodeOp> &choices) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || !type.getElementType().isInteger(1) || type.getRank() > 1 || argument.use_empty())
    return false;
  for (OpOperand &use : argument.getUses()) {
    auto node = dyn_cast<NodeOp>(use.getOwner());
    if (!node || node.getOpType() != "If" || !node.getDomain().empty() || use.getOperandNumber() != 0)
      return false;
    choices.push_back(node);
  }
  return true;
}

size_t inputsReadIn(Region &region, func::FuncOp main) {
  llvm::SmallPtrSet<Value, 16> read;
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand); argument && argument.getOwner()->getParentOp() == main)
        read.insert(operand);
  });
  return read.size();
}

void takePlaceOf(NodeOp choice, Region &branch) {
  Block &block = branch.front();
  Operation *yield = block.getTerminator();
  SmallVector<Value> made(yield->getOperands());
  choice->getBlock()->getOperations().splice(choice->getIterator(), block.getOperations(), block.begin(),
                                             yield->getIterator());
  choice->replaceAllUsesWith(made);
  choice->erase();
}
} // namespace

namespace {
LogicalResult settleBranches(ModuleOp module, bool hasCaches) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  llvm::SmallPtrSet<Value, 16> unread;
  for (unsigned i = 0; main && i < main.getNumArguments(); ++i)
    if (main.getArgument(i).use_empty())
      unread.insert(main.getArgument(i));
  bool hasChosen = false;
  for (unsigned i = 0; main && i < main.getNumArguments(); ++i) {
    SmallVector<NodeOp> choices;
    if (!choosesOnly(main.getArgument(i), choices))
      continue;
    for (NodeOp choice : choices) {
      auto bodies = choice.getBodies();
      bool isFirst = inputsReadIn(bodies[0], main) >= inputsReadIn(bodies[1], main);
      takePlaceOf(choice, bodies[isFirst == hasCaches ? 0 : 1]);
      hasChosen = true;
    }
    (void)main.eraseArgument(i--);
    Operation *end = main.getBody().front().getTerminator();
    main.setFunctionType(
        Builder(module.getContext())
            .getFunctionType(main.getBody().getArgumentTypes(), llvm::to_vector(end->getOperandTypes())));
  }
  for (unsigned i = hasChosen ? main.getNumArguments() : 0; i-- > 0;)
    if (Value argument = main.getArgument(i); argument.use_empty() && !unread.contains(argument))
      (void)main.eraseArgument(i);
  return success();
}
} // namespace

LogicalResult settleCacheBranch(ModuleOp module) { return settleBranches(module, true); }
LogicalResult settleFirstCall(ModuleOp module) { return settleBranches(module, false); }

} // namespace sinter
