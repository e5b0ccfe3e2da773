// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops behind a convolution or matrix product move into its epilogue, which runs on the accumulators in
// registers: bias, activation, residual add, BatchNorm, casts.
//
// Precondition: the elementwise op is the contraction's only user, reads it through the identity map, and its body is
// pure scalar arithmetic on its operands (no coordinates, no reads of its init). What widens a quantized result stays
// behind: memory holds the narrow one.
#include "passes/passes.h"

#include "ir/value_names.h"

using namespace mlir;

namespace sinter {
namespace {

bool isScalarArithmetic(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    return op.getNumRegions() == 0 && isPure(&op) && !isa<linalg::IndexOp, tensor::ExtractOp, CheckIndexOp>(op);
  });
}

/// The operand of `generic` that is `contraction`, whose only use it is, if the precondition holds.
OpOperand *fusibleOperand(linalg::GenericOp generic, Operation *contraction) {
  Value y = contraction->getResult(0);
  if (generic.getNumDpsInits() != 1 || generic.getNumReductionLoops())
    return nullptr;
  OpOperand *operand = &*y.use_begin();
  OpOperand *init = generic.getDpsInitOperand(0);
  if (operand == init || !generic.getMatchingIndexingMap(operand).isIdentity() ||
      !generic.getMatchingIndexingMap(init).isIdentity())
    return nullptr;
  Type from = getElementTypeOrSelf(y.getType()), to = getElementTypeOrSelf(init->get().getType());
  if (isa<IntegerType>(from) && from.getIntOrFloatBitWidth() <= 16 && to.isIntOrFloat() &&
      to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
    return nullptr;
  if (!generic.getMatchingBlockArgument(init).use_empty() || !isScalarArithmetic(*generic.getBody()))
    return nullptr;
  return operand;
}

template <class Contraction>
struct FuseEpilogue : OpRewritePattern<Contraction> {
  using OpRewritePattern<Contraction>::OpRewritePattern;

  LogicalResult matchAndRewrite(Contraction contraction, PatternRewriter &rewriter) const override {
    if (contraction->getNumResults() != 1 || !contraction->hasOneUse())
      return failure();
    auto generic = dyn_cast<linalg::GenericOp>(*contraction->user_begin());
    OpOperand *operand = generic ? fusibleOperand(generic, contraction) : nullptr;
    if (!operand)
      return failure();

    SmallVector<Value> inputs(contraction.getEpilogueInputs());
    SmallVector<Attribute> maps(contraction.getEpilogueMaps().getValue());
    SmallVector<OpOperand *> added;
    for (OpOperand *input : generic.getDpsInputOperands())
      if (input != operand) {
        added.push_back(input);
        inputs.push_back(input->get());
        maps.push_back(AffineMapAttr::get(generic.getMatchingIndexingMap(input)));
      }

    rewriter.setInsertionPoint(generic);
    Location loc = fusedLocation(contraction.getLoc(), generic.getLoc());
    auto fused = cast<Contraction>(rewriter.clone(*contraction));
    fused->setLoc(loc);
    rewriter.modifyOpInPlace(fused, [&] {
      fused.getEpilogueInputsMutable().assign(inputs);
      fused.getInitsMutable().assign(ValueRange(generic.getDpsInits()));
      fused.setEpilogueMapsAttr(rewriter.getArrayAttr(maps));
      fused->getResult(0).setType(generic.getResult(0).getType());
      Block &epilogue = fused.getEpilogue().front();
      auto yield = cast<YieldOp>(epilogue.getTerminator());
      IRMapping mapping;
      mapping.map(generic.getMatchingBlockArgument(operand), yield.getValues()[0]);
      for (OpOperand *input : added) {
        BlockArgument argument = generic.getMatchingBlockArgument(input);
        mapping.map(argument, epilogue.addArgument(argument.getType(), loc));
      }
      OpBuilder inside(yield);
      for (Operation &op : generic.getBody()->without_terminator())
        inside.clone(op, mapping);
      yield.getValuesMutable().assign(mapping.lookupOrDefault(generic.getBody()->getTerminator()->getOperand(0)));
    });
    rewriter.replaceOp(generic, fused->getResults());
    rewriter.eraseOp(contraction);
    return success();
  }
};

} // namespace

LogicalResult fuseEpilogues(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  patterns.add<FuseEpilogue<ConvOp>, FuseEpilogue<MatmulOp>>(module.getContext());
  return applyPatternsAndFoldGreedily(module, std::move(patterns));
}

} // namespace sinter
