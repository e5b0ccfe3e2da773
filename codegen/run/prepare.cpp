// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace sinter {

static void replaceCopy(memref::CopyOp copy, IRRewriter &rewriter) {
  auto type = cast<MemRefType>(copy.getTarget().getType());
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  rewriter.setInsertionPoint(copy);
  auto loops = rewriter.create<linalg::GenericOp>(copy.getLoc(), ValueRange(copy.getSource()),
                                                  ValueRange(copy.getTarget()), ArrayRef{identity, identity}, iterators,
                                                  [](OpBuilder &builder, Location loc, ValueRange elements) {
                                                    builder.create<linalg::YieldOp>(loc, elements.front());
                                                  });
  if (Attribute reason = copy->getAttr("sinter.reason"))
    loops->setAttr("sinter.reason", reason);
  rewriter.eraseOp(copy);
}

LogicalResult prepareForPrinting(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::LinalgOp> named;
  SmallVector<memref::CopyOp> copies;
  module.walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && !isa<linalg::GenericOp>(op))
      named.push_back(linalgOp);
    else if (auto copy = dyn_cast<memref::CopyOp>(op))
      copies.push_back(copy);
  });
  for (memref::CopyOp copy : copies)
    replaceCopy(copy, rewriter);
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return op.emitOpError("cannot be made a linalg.generic");
  }
  return success();
}

} // namespace sinter
