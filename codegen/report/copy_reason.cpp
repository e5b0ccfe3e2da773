// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each copy that is left has a reason, in the report. Passes that give up say why (the attribute sinter.reason); of the
// others, the op tells.
#include "codegen/report/report.h"
#include "dialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

static bool isPartOfBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<memref::SubViewOp>(view))
      return true;
    value = view.getViewSource();
  }
  return false;
}

static Operation *rootOp(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value.getDefiningOp();
}

std::string reasonOfCopy(Operation *copy) {
  if (auto reason = copy->getAttrOfType<StringAttr>("sinter.reason"))
    return reason.str();
  auto loops = cast<linalg::LinalgOp>(copy);
  if (loops.getNumDpsInputs() == 0) // the body reads where an index says (planRepeats)
    return "elements repeat, move or are left out";
  OpOperand &source = *loops.getDpsInputOperand(0), &target = *loops.getDpsInitOperand(0);
  AffineMap from = loops.getMatchingIndexingMap(&source), to = loops.getMatchingIndexingMap(&target);
  bool isTransposed = from.isPermutation() && to.isPermutation() && from != to;
  isTransposed |= isa_and_nonnull<memref::TransposeOp>(source.get().getDefiningOp());
  if (isa_and_nonnull<InputOp>(rootOp(source.get())) && isa_and_nonnull<OutputOp>(rootOp(target.get())) &&
      !isTransposed)
    return "the caller's input is an output as it is";
  if (isa_and_nonnull<ConstantOp>(rootOp(source.get())))
    return "a constant is written into a buffer that changes, or is an output";
  if (isTransposed)
    return "dims change their order, and who reads the result takes only the new one";
  if (!from.isPermutation())
    return "elements repeat, move or are left out";
  if (isPartOfBuffer(target.get()))
    return "a part of a tensor that was made elsewhere, where others read it too";
  if (isPartOfBuffer(source.get()))
    return "a part of a tensor whose reader needs it by itself";
  return "who reads the result needs another form of it, or changes it while the source is still needed";
}

} // namespace sinter
