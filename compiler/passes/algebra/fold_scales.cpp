// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A factor per channel behind a contraction (BatchNormalization, layer scale) goes into the contraction's weights:
// (w x + b) f + o is (w f) x + (b f + o), and both are known at compile time. Elementwise ops that only add and
// multiply per channel merge first, so that a whole chain of them folds.
//
// Precondition: weights, factors and offsets are constant; the contraction has no other reader, and is read in its own
// element type.
#include "passes/passes.h"

#include "passes/support/block_weights.h"
#include "passes/support/contractions.h"

#include "interpreter/interpreter.h"
#include "ir/ordered_moves.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

namespace sinter {
namespace {

/// The channel of a contraction's output, and of its weights.
int64_t channelDim(ConvOp) { return 1; }
int64_t channelDim(MatmulOp matmul) { return cast<ShapedType>(matmul.getInits()[0].getType()).getRank() - 1; }
OpOperand &foldedWeightsOf(ConvOp conv) { return conv.getFilterMutable(); }
OpOperand &foldedWeightsOf(MatmulOp matmul) { return matmul.getRhsMutable(); }
int64_t weightsChannelDim(ConvOp) { return 0; }
int64_t weightsChannelDim(MatmulOp matmul) { return matmul.getTransposeRhs() ? 0 : 1; }
bool fitsFolding(ConvOp conv) { return conv.getLayout() == "nchw"; }
/// Weights that stay packed have no room for a factor.
bool fitsFolding(MatmulOp matmul) {
  bool isTransposed = false;
  return cast<ShapedType>(matmul.getRhs().getType()).getRank() == 2 &&
         !dequantizedBlocks(matmul.getRhs(), isTransposed);
}

/// What an elementwise body does first to the contraction's element: steps of x + v, x - v, x * v, x / v with v from
/// constants per channel.
struct AffineSteps {
  SmallVector<Operation *> steps; ///< each has the one before as its first or second operand
  unsigned factors = 0;

  explicit AffineSteps(linalg::GenericOp op, OpOperand *contraction, int64_t channel, EvaluationCache &cache) {
    DenseSet<Value> perChannel;
    for (OpOperand *input : op.getDpsInputOperands())
      if (input != contraction && isPerChannel(op.getMatchingIndexingMap(input), channel) &&
          isConstant(input->get(), cache))
        perChannel.insert(op.getMatchingBlockArgument(input));
    auto isKnown = [&](Value value) { return perChannel.contains(value) || isOutside(op, value); };
    for (Operation &inner : op.getBody()->without_terminator())
      if (isPure(&inner) && inner.getNumOperands() && inner.getNumResults() == 1 &&
          llvm::all_of(inner.getOperands(), isKnown))
        perChannel.insert(inner.getResult(0));
    Value x = op.getMatchingBlockArgument(contraction);
    while (x.hasOneUse()) {
      Operation *step = *x.user_begin();
      bool isFactor = isa<arith::MulFOp, arith::DivFOp>(step), isFirst = step->getOperand(0) == x;
      bool isStep = isa<arith::AddFOp, arith::MulFOp>(step) || (isa<arith::SubFOp, arith::DivFOp>(step) && isFirst);
      if (!isStep || !isKnown(step->getOperand(isFirst ? 1 : 0)))
        break;
      steps.push_back(step);
      factors += isFactor;
      x = step->getResult(0);
    }
  }

  /// Only such steps, nothing else?
  bool isAll(linalg::GenericOp op) const {
    return !steps.empty() && op.getBody()->getTerminator()->getOperand(0) == steps.back()->getResult(0);
  }

private:
  /// Indexed by the channel at most; all else is 0.
  static bool isPerChannel(AffineMap map, int64_t channel) {
    return llvm::all_of(map.getResults(), [&](AffineExpr e) {
      return isa<AffineConstantExpr>(e) || e == getAffineDimExpr(channel, map.getContext());
    });
  }
  static bool isOutside(linalg::GenericOp op, Value value) {
    return value.getParentRegion() != &op.getRegion() && matchPattern(value, m_Constant());
  }
};

/// The vector over channels that `body` computes from the op's operands per channel.
Value channelVector(OpBuilder &b, linalg::GenericOp op, int64_t channel, int64_t channels, FloatType type,
                    function_ref<Value(OpBuilder &, IRMapping &)> body) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> arguments;
  MLIRContext *context = b.getContext();
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (llvm::any_of(llvm::seq<int64_t>(0, map.getNumDims()),
                     [&](int64_t d) { return d != channel && map.isFunctionOfDim(d); }))
      continue;
    SmallVector<AffineExpr> dims(map.getNumDims(), getAffineDimExpr(0, context));
    inputs.push_back(input->get());
    maps.push_back(map.replaceDimsAndSymbols(dims, {}, 1, 0));
    arguments.push_back(op.getMatchingBlockArgument(input));
  }
  maps.push_back(b.getMultiDimIdentityMap(1));
  Value empty = b.create<tensor::EmptyOp>(op.getLoc(), channels, type);
  auto vector =
      b.create<linalg::GenericOp>(op.getLoc(), empty.getType(), inputs, empty, maps, utils::IteratorType::parallel,
                                  [&](OpBuilder &inner, Location loc, ValueRange given) {
                                    IRMapping mapping;
                                    for (auto [argument, value] : llvm::zip(arguments, given))
                                      mapping.map(argument, value);
                                    inner.create<linalg::YieldOp>(loc, body(inner, mapping));
                                  });
  return vector.getResult(0);
}

/// Clones the steps on `x`, and what they read; `only`: which of the steps are done, the others pass their operand on.
Value cloneSteps(OpBuilder &b, const AffineSteps &affine, Value argument, Value x, IRMapping &mapping,
                 function_ref<bool(Operation *)> only) {
  mapping.map(argument, x);
  Value from = argument;
  for (Operation *step : affine.steps) {
    for (Value operand : step->getOperands()) {
      SetVector<Operation *> slice;
      if (operand == from || !operand.getDefiningOp() || operand.getParentBlock() != step->getBlock())
        continue;
      BackwardSliceOptions options{[&](Operation *op) { return op->getBlock() == step->getBlock(); }};
      options.inclusive = true;
      getBackwardSlice(operand, &slice, options);
      for (Operation *op : slice)
        if (!mapping.contains(op->getResult(0)))
          b.clone(*op, mapping);
    }
    if (only(step))
      b.clone(*step, mapping);
    else
      mapping.map(step->getResult(0), mapping.lookup(from));
    from = step->getResult(0);
  }
  return mapping.lookup(from);
}

template <class Contraction>
class ScaleFolder {
public:
  ScaleFolder(Contraction contraction, EvaluationCache &cache) : contraction(contraction), cache(cache) {}

  void run() {
    auto type = dyn_cast<RankedTensorType>(contraction->getNumResults() ? contraction->getResult(0).getType() : Type());
    if (!type || !contraction.getEpilogueInputs().empty() || !fitsFolding(contraction) ||
        type.isDynamicDim(channelDim(contraction)) || !isa<FloatType>(type.getElementType()) ||
        weightsType().getElementType() != type.getElementType() ||
        !isConstant(foldedWeightsOf(contraction).get(), cache))
      return;
    while (linalg::GenericOp op = reader(contraction->getResult(0)))
      if (!merge(op))
        break;
    if (linalg::GenericOp op = reader(contraction->getResult(0)))
      fold(op);
  }

private:
  RankedTensorType weightsType() { return cast<RankedTensorType>(foldedWeightsOf(contraction).get().getType()); }

  /// The one loop nest that reads `value`, element by element.
  static linalg::GenericOp reader(Value value) {
    auto op = value.hasOneUse() ? dyn_cast<linalg::GenericOp>(*value.user_begin()) : nullptr;
    if (!op || op.getNumDpsInits() != 1 || op.getNumReductionLoops())
      return nullptr;
    OpOperand &use = *value.use_begin();
    return op.isDpsInput(&use) && op.getMatchingIndexingMap(&use).isIdentity() &&
                   op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity()
               ? op
               : nullptr;
  }

  AffineSteps stepsOf(linalg::GenericOp op, Value value) {
    return AffineSteps(op, &*value.use_begin(), channelDim(contraction), cache);
  }

  /// Merges `op` into the next loop nest, where both begin with steps.
  bool merge(linalg::GenericOp op) {
    Value y = op.getResult(0);
    linalg::GenericOp next = reader(y);
    if (!next || !stepsOf(op, contraction->getResult(0)).isAll(op) || stepsOf(next, y).steps.empty() ||
        !linalg::areElementwiseOpsFusable(&*y.use_begin()))
      return false;
    IRRewriter rewriter(next);
    FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, &*y.use_begin());
    if (failed(fused))
      return false;
    cache.forget(next);
    rewriter.replaceOp(next, fused->replacements.lookup(next.getResult(0)));
    if (op->use_empty()) {
      cache.forget(op);
      rewriter.eraseOp(op);
    }
    return true;
  }

  void fold(linalg::GenericOp op) {
    Value y = contraction->getResult(0);
    AffineSteps affine = stepsOf(op, y);
    if (!affine.factors)
      return;
    OpOperand &use = *y.use_begin();
    BlockArgument argument = op.getMatchingBlockArgument(&use);
    auto type = cast<FloatType>(cast<ShapedType>(y.getType()).getElementType());
    int64_t channel = channelDim(contraction), channels = cast<ShapedType>(y.getType()).getDimSize(channel);
    OpBuilder b(contraction);
    b.setInsertionPoint(op); // factors may stand behind the contraction
    auto steps = [&](double start, function_ref<bool(Operation *)> only) {
      return channelVector(b, op, channel, channels, type, [&](OpBuilder &inner, IRMapping &mapping) {
        Value x = inner.create<arith::ConstantOp>(op.getLoc(), inner.getFloatAttr(type, start));
        return cloneSteps(inner, affine, argument, x, mapping, only);
      });
    };
    Value factor = steps(1, [](Operation *step) { return isa<arith::MulFOp, arith::DivFOp>(step); });
    bool hasOffset = affine.factors < affine.steps.size();
    Value offset = hasOffset ? steps(0, [](Operation *) { return true; }) : Value();

    // The contraction moves behind what its weights need now.
    moveInFrontOf(contraction, op);
    b.setInsertionPoint(contraction);
    foldedWeightsOf(contraction).set(scaled(b, factor));

    Block &body = *op.getBody();
    Value x = argument;
    if (hasOffset) {
      OpBuilder inside(affine.steps.back());
      x = inside.create<arith::AddFOp>(op.getLoc(), argument, body.addArgument(type, op.getLoc()));
    }
    affine.steps.back()->getResult(0).replaceAllUsesWith(x);
    cache.forget(op);
    for (Operation *step : llvm::reverse(affine.steps))
      step->erase();
    replaceOperands(op, offset);
  }

  /// `op` with the operands that its body still reads, and `offset`, which the last argument of its body stands for.
  void replaceOperands(linalg::GenericOp op, Value offset) {
    OpBuilder b(op);
    Block &body = *op.getBody();
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    BlockArgument init = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
    AffineMap channel = AffineMap::get(op.getNumLoops(), 0, b.getAffineDimExpr(channelDim(contraction)));
    BitVector unread(body.getNumArguments());
    for (OpOperand *input : op.getDpsInputOperands())
      if (op.getMatchingBlockArgument(input).use_empty()) {
        unread.set(input->getOperandNumber());
      } else {
        inputs.push_back(input->get());
        maps.push_back(op.getMatchingIndexingMap(input));
      }
    if (offset) { // in front of the init
      inputs.push_back(offset);
      maps.push_back(channel);
      BlockArgument last = body.getArguments().back();
      last.replaceAllUsesWith(body.insertArgument(init.getArgNumber(), last.getType(), last.getLoc()));
      unread.resize(body.getNumArguments());
      unread.set(body.getNumArguments() - 1);
    }
    body.eraseArguments(unread);
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
    auto rest = b.create<linalg::GenericOp>(op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(), maps,
                                            op.getIteratorTypesArray());
    rest.getRegion().takeBody(op.getRegion());
    op->replaceAllUsesWith(rest);
    op->erase();
  }

  Value scaled(OpBuilder &b, Value factor) {
    RankedTensorType type = weightsType();
    Location loc = contraction.getLoc();
    AffineMap all = b.getMultiDimIdentityMap(type.getRank()),
              channel = AffineMap::get(type.getRank(), 0, b.getAffineDimExpr(weightsChannelDim(contraction)));
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    Value empty = b.create<tensor::EmptyOp>(loc, type.getShape(), type.getElementType());
    return b
        .create<linalg::GenericOp>(loc, type, ValueRange{foldedWeightsOf(contraction).get(), factor}, empty,
                                   ArrayRef{all, channel, all}, loops,
                                   [](OpBuilder &inner, Location at, ValueRange v) {
                                     inner.create<linalg::YieldOp>(
                                         at, inner.create<arith::MulFOp>(at, v[0], v[1]).getResult());
                                   })
        .getResult(0);
  }

  Contraction contraction;
  EvaluationCache &cache;
};

} // namespace

LogicalResult foldScales(ModuleOp module) {
  EvaluationCache cache;
  for (Operation *op : contractionsOf(module)) {
    if (auto conv = dyn_cast<ConvOp>(op))
      ScaleFolder(conv, cache).run();
    else
      ScaleFolder(cast<MatmulOp>(op), cache).run();
  }
  return success();
}

} // namespace sinter
