// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From each output back to the inputs that it depends on. Shape says how large something is, which is known without
// it. Inputs of subgraphs count as read by the node that holds them.
#include "graph/cross_caches.h"

#include "graph/decoder_caches.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace sinter {
namespace {

/// The inputs that a value depends on, once what was looked at for other values is known.
llvm::DenseSet<unsigned> inputsOf(Value value, func::FuncOp main) {
  llvm::DenseSet<unsigned> inputs;
  llvm::DenseSet<Value> seen;
  std::vector<Value> waiting = {value};
  while (!waiting.empty()) {
    Value next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner()->getParentOp() == main)
        inputs.insert(argument.getArgNumber());
      continue;
    }
    auto node = next.getDefiningOp<NodeOp>();
    if (!node || (node.getDomain().empty() && node.getOpType() == "Shape"))
      continue;
    node->walk([&](Operation *op) { waiting.insert(waiting.end(), op->operand_begin(), op->operand_end()); });
  }
  return inputs;
}

StringRef outputName(func::FuncOp main, unsigned i) {
  auto name = main.getResultAttrOfType<StringAttr>(i, "sinter.name");
  return name ? name.getValue() : "";
}
} // namespace

std::vector<std::string> crossCachesOf(ModuleOp module) {
  std::vector<std::string> names;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.getBody().empty())
    return names;
  Operation *end = main.getBody().front().getTerminator();
  for (unsigned i = 0; i < end->getNumOperands(); ++i) {
    llvm::DenseSet<unsigned> inputs = inputsOf(end->getOperand(i), main);
    bool isMade = !inputs.empty() && llvm::all_of(inputs, [&](unsigned index) {
      DecoderTensor input = decoderInput(main, index);
      return input.hasShape && isa<FloatType>(input.element) && input.sizes.size() == 3;
    });
    if (isMade)
      names.push_back(outputName(main, i).str());
  }
  return names;
}

void keepOutputsAt(ModuleOp module, llvm::function_ref<bool(unsigned)> isKept) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Operation *end = main.getBody().front().getTerminator();
  BitVector gone(end->getNumOperands());
  for (unsigned i = 0; i < end->getNumOperands(); ++i)
    gone[i] = !isKept(i);
  main.eraseResults(gone);
  end->eraseOperands(gone);
  // Backwards, so that what only the gone outputs needed goes in one walk.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(main.getBody().front())))
    if (&op != end && op.use_empty() && isa<NodeOp, WeightOp>(op))
      op.erase();
}

void keepOutputs(ModuleOp module, ArrayRef<std::string> names) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return;
  keepOutputsAt(module, [&](unsigned i) { return llvm::is_contained(names, outputName(main, i)); });
  for (unsigned i = main.getNumArguments(); i-- > 0;)
    if (main.getArgument(i).use_empty())
      (void)main.eraseArgument(i);
}

} // namespace sinter
