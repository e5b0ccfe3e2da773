// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic around a rounding in its shortest form. What conversion wrote step by step - sums times the scales of
// both operands, plus a bias, a clamp, over the scale of the result, rounded, plus its zero point, clamped - becomes
//   clamp(round((acc + bias) * factor), low, high) + zero
// with an int32 bias and one factor, both constants: a sinter.requantize; so do loop nests that add or rescale
// quantized tensors. A value that is quantized and dequantized in one body stays a float. quantized_value.h has the
// algebra, body_rewriter.h the bodies.
//
// Precondition: scales and zero points are known; factors merge over whole numbers only, so that what was rounded
// before stays as it was. A bias counts as int32 if it is a whole number of accumulator steps within 1e-6.
#include "passes/passes.h"

#include "passes/quantized/support/body_rewriter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t mostNumbers = 1 << 16;

bool isBodyOfScalars(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) { return op.getNumRegions() == 0 && isPure(&op); });
}
bool rounds(Block &body) {
  return llvm::any_of(body, [](Operation &op) { return isa<math::RoundEvenOp>(op); });
}

BodyInput inputOf(Value tensor, AffineMap map, BlockArgument argument, EvaluationCache &cache) {
  BodyInput input{tensor, map, argument, std::nullopt};
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (type && type.hasStaticShape() && type.getNumElements() <= mostNumbers && type.getNumElements() > 0 &&
      type.getElementType().isIntOrFloat() && isConstant(tensor, cache))
    input.known = evaluate(tensor, cache);
  return input;
}

void eraseDead(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Without arguments that nobody reads.
void dropUnread(Block &body, unsigned first, SmallVectorImpl<Value> &tensors, SmallVectorImpl<AffineMap> &maps) {
  for (unsigned i = tensors.size(); i-- > 0;)
    if (body.getArgument(first + i).use_empty()) {
      body.eraseArgument(first + i);
      tensors.erase(tensors.begin() + i);
      maps.erase(maps.begin() + i);
    }
}

template <class Contraction>
void rewriteContraction(Contraction op, EvaluationCache &cache) {
  Block &old = op.getEpilogue().front();
  if (!isa<IntegerType>(old.getArgument(0).getType()) || op.getInits().size() != 1 || !isBodyOfScalars(old))
    return;
  SmallVector<BodyInput> inputs;
  for (auto [i, tensor] : llvm::enumerate(op.getEpilogueInputs()))
    inputs.push_back(
        inputOf(tensor, cast<AffineMapAttr>(op.getEpilogueMaps()[i]).getValue(), old.getArgument(i + 1), cache));
  Region fresh;
  Block &body = fresh.emplaceBlock();
  Value accumulator = body.addArgument(old.getArgument(0).getType(), op.getLoc());
  BodyRewriter rewriter(inputs, old, body);
  rewriter.give(old.getArgument(0), accumulator);
  Value result = rewriter.write(old.getTerminator()->getOperand(0));
  rewriter.template yield<YieldOp>(result);
  eraseDead(body);
  dropUnread(body, 1, rewriter.tensors(), rewriter.maps());
  op.getEpilogueInputsMutable().assign(rewriter.tensors());
  op.setEpilogueMapsAttr(OpBuilder(op).getAffineMapArrayAttr(rewriter.maps()));
  op.getEpilogue().takeBody(fresh);
}

void rewriteNest(linalg::GenericOp op, EvaluationCache &cache) {
  Block &old = *op.getBody();
  if (op.getNumDpsInits() != 1 || op->getNumResults() != 1 || op.getNumReductionLoops() || !rounds(old) ||
      !isBodyOfScalars(old) || !op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty() ||
      isConstant(op.getResult(0), cache))
    return;
  SmallVector<BodyInput> inputs;
  for (OpOperand *input : op.getDpsInputOperands())
    inputs.push_back(
        inputOf(input->get(), op.getMatchingIndexingMap(input), op.getMatchingBlockArgument(input), cache));
  Region fresh;
  Block &body = fresh.emplaceBlock();
  BodyRewriter rewriter(inputs, old, body);
  Value result = rewriter.write(old.getTerminator()->getOperand(0));
  rewriter.yield<linalg::YieldOp>(result);
  eraseDead(body);
  dropUnread(body, 0, rewriter.tensors(), rewriter.maps());
  body.addArgument(old.getArguments().back().getType(), op.getLoc());
  SmallVector<AffineMap> maps(rewriter.maps());
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  OpBuilder b(op);
  auto rest = b.create<linalg::GenericOp>(op.getLoc(), op->getResultTypes(), rewriter.tensors(), op.getDpsInits(), maps,
                                          op.getIteratorTypesArray());
  rest.getRegion().takeBody(fresh);
  op->replaceAllUsesWith(rest);
  cache.forget(op);
  op->erase();
}

} // namespace

LogicalResult intform(ModuleOp module) {
  EvaluationCache cache;
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isa<ConvOp, MatmulOp, linalg::GenericOp>(op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    if (auto conv = dyn_cast<ConvOp>(op))
      rewriteContraction(conv, cache);
    else if (auto matmul = dyn_cast<MatmulOp>(op))
      rewriteContraction(matmul, cache);
    else
      rewriteNest(cast<linalg::GenericOp>(op), cache);
  }
  return success();
}

} // namespace sinter
