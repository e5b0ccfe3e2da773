// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state's output and input become one buffer of the caller. Until here they are two, sinter.output with the attribute
// sinter.state and sinter.input, so that everything before treats a state as any output. In planned IR the input's old
// value is `sinter.input`, its new one another `sinter.input {state = true}` of the same index; memory/check.cpp holds
// that nobody reads the one after the other was written.
#include "passes/passes.h"

#include "memory/aliases.h"
#include "memory/in_place.h"

using namespace mlir;
using namespace sinter;

namespace {

class StateBinder {
public:
  StateBinder(OutputOp output, int64_t index) : output(output), main(output->getParentOfType<func::FuncOp>()) {
    main.walk([&](InputOp input) {
      if (input.getIndex() == static_cast<uint64_t>(index) && !input.getState())
        readers.push_back(input);
    });
  }

  void bind(int64_t index, StringRef name) {
    OpBuilder builder(output);
    auto state = builder.create<InputOp>(output.getLoc(), output.getType(), index, output.getSizes(), name, true);
    if (isReadTooLate()) {
      auto made = builder.create<memref::AllocOp>(output.getLoc(), output.getType(), output.getSizes());
      output.replaceAllUsesWith(made.getResult());
      builder.setInsertionPoint(main.getBody().front().getTerminator());
      auto copy = builder.create<memref::CopyOp>(output.getLoc(), made, state);
      copy->setAttr("sinter.reason",
                    builder.getStringAttr("the state's old value is still read when the new one is made"));
    } else {
      output.replaceAllUsesWith(state.getResult());
    }
    output.erase();
    if (toItself)
      toItself.erase();
  }

private:
  /// Precondition to write in place: behind the first op that writes the new value nobody touches the old one, and that
  /// op itself reads it element by element, if at all (or copies it as it is).
  bool isReadTooLate() {
    Block &block = main.getBody().front();
    Operation *first = nullptr;
    forEachTouch(output, [&](OpOperand &use) {
      Operation *op = block.findAncestorOpInBlock(*use.getOwner());
      if (!first || op->isBeforeInBlock(first))
        first = op;
    });
    if (!first)
      return false;
    if (auto copy = dyn_cast<memref::CopyOp>(first);
        copy && copy.getTarget() == output && llvm::is_contained(readers, copy.getSource().getDefiningOp<InputOp>()))
      toItself = copy;
    bool late = false;
    for (InputOp reader : readers)
      forEachTouch(reader, [&](OpOperand &use) {
        Operation *op = block.findAncestorOpInBlock(*use.getOwner());
        late |= first->isBeforeInBlock(op) || (op == first && !toItself && !readsInPlace(use));
      });
    if (late)
      toItself = nullptr;
    return late;
  }

  /// What other dims look at, all of it in its order.
  static Value reshapedOf(Value view) {
    while (isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(view.getDefiningOp()))
      view = view.getDefiningOp()->getOperand(0);
    return view;
  }

  /// Precondition: the op is the only one to touch the output so far, and all of the output and of the input.
  bool readsInPlace(OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (!op || !reshapedOf(use.get()).getDefiningOp<InputOp>())
      return false;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (reshapedOf(init.get()) == output && init.get().getType() == use.get().getType())
        return llvm::is_contained(readInPlace(op, init), &use);
    return false;
  }

  OutputOp output;
  func::FuncOp main;
  SmallVector<InputOp> readers;
  memref::CopyOp toItself;
};

} // namespace

LogicalResult sinter::bindStates(ModuleOp module) {
  SmallVector<OutputOp> outputs;
  module.walk([&](OutputOp output) {
    if (output->hasAttr("sinter.state"))
      outputs.push_back(output);
  });
  for (OutputOp output : outputs) {
    int64_t index = output->getAttrOfType<IntegerAttr>("sinter.state").getInt();
    StateBinder(output, index).bind(index, output.getName());
  }
  return success();
}
