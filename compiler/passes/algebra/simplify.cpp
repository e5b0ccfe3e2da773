// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonical forms and common subexpressions, as upstream knows them, with sizes traced to where they come from.
#include "passes/passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace {

constexpr StringLiteral regionsAttribute = "sinter.regions";

/// Hashes of what ops compute, all in one walk: two that CSE could ever find equal have equal ones, also where what
/// they read is equal only once others have been merged.
class ComputedHashes {
public:
  /// Of `op`, which is `hash` without its regions.
  llvm::hash_code ofRegions(Operation *op, llvm::hash_code hash) {
    llvm::hash_code place = hash;
    for (Region &region : op->getRegions()) {
      for (Block &block : region) {
        place = llvm::hash_combine(place, block.getNumArguments());
        for (BlockArgument argument : block.getArguments())
          values[argument] = llvm::hash_combine(place, argument.getArgNumber());
        for (Operation &nested : block)
          hash = llvm::hash_combine(hash, of(&nested));
      }
    }
    return hash;
  }

  /// The ops that have regions.
  SmallVector<std::pair<Operation *, int64_t>> parted;

private:
  /// Whether two such ops may be one, as far as it is not for what stands in them to say.
  static bool mayBeOne(Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>() || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return true;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects && (effects.hasNoEffect() || effects.onlyHasEffect<MemoryEffects::Read>());
  }

  llvm::hash_code of(Operation *op) {
    auto ofOperand = [&](Value value) { return values.lookup(value); };
    llvm::hash_code hash = mayBeOne(op)
                               ? OperationEquivalence::computeHash(op, ofOperand, OperationEquivalence::ignoreHashValue,
                                                                   OperationEquivalence::IgnoreLocations)
                               : llvm::hash_value(op);
    if (op->getNumRegions()) {
      hash = ofRegions(op, hash);
      parted.emplace_back(op, static_cast<int64_t>(static_cast<size_t>(hash)));
    }
    for (OpResult result : op->getResults())
      values[result] = llvm::hash_combine(hash, result.getResultNumber());
    return hash;
  }

  DenseMap<Value, llvm::hash_code> values;
};

/// CSE hashes an op without its regions: a thousand loops that start from one tensor collide, and each pair is compared
/// op by op. An attribute that follows from the regions parts them; equal loops and choices stay equal.
void partByRegions(ModuleOp module) {
  Builder builder(module.getContext());
  ComputedHashes hashes;
  hashes.ofRegions(module, llvm::hash_code(0));
  for (auto [op, hash] : hashes.parted)
    op->setAttr(regionsAttribute, builder.getI64IntegerAttr(hash));
}

/// An If whose branches hand on values from outside becomes a select. One between tensors is a loop over their
/// elements: no buffer is either of two.
void spellOutTensorSelects(ModuleOp module) {
  module.walk([](arith::SelectOp select) {
    auto type = dyn_cast<RankedTensorType>(select.getType());
    if (!type || isa<RankedTensorType>(select.getCondition().getType()))
      return;
    OpBuilder b(select);
    Location loc = select.getLoc();
    Value empty =
        b.create<tensor::EmptyOp>(loc, tensor::getMixedSizes(b, loc, select.getTrueValue()), type.getElementType());
    SmallVector<AffineMap> maps(3, b.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    auto each = b.create<linalg::GenericOp>(
        loc, type, ValueRange{select.getTrueValue(), select.getFalseValue()}, empty, maps, loops,
        [&](OpBuilder &body, Location at, ValueRange elements) {
          body.create<linalg::YieldOp>(
              at, body.create<arith::SelectOp>(at, select.getCondition(), elements[0], elements[1]).getResult());
        });
    select.replaceAllUsesWith(each.getResult(0));
    select.erase();
  });
}

/// Upstream's patterns of one dialect, whose reshapes are these.
template <class Expand, class Collapse, class Cast, class Dim, class Type>
struct Reshapes {
  using ComposeExpand = ComposeExpandOfCollapseOp<Expand, Collapse>;
  using ComposeCollapse = ComposeCollapseOfExpandOp<Collapse, Expand, Cast, Dim, Type>;

  /// Whether sizes alone say which dims of a group stand for which others.
  static bool isAmbiguous(ShapedType fine, ArrayRef<ReassociationIndices> groups) {
    return llvm::any_of(groups, [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group, [&](int64_t dim) { return fine.isDynamicDim(dim); }) > 1;
    });
  }
  static bool isAmbiguous(Expand expand) {
    return isAmbiguous(expand.getResultType(), expand.getReassociationIndices());
  }
  static bool isAmbiguous(Collapse collapse) {
    return isAmbiguous(collapse.getSrcType(), collapse.getReassociationIndices());
  }

  template <class Compose, class Outer, class Inner>
  struct Unambiguous : Compose {
    using Compose::Compose;
    LogicalResult matchAndRewrite(Outer outer, PatternRewriter &rewriter) const override {
      auto inner = outer.getSrc().template getDefiningOp<Inner>();
      return success(inner && !isAmbiguous(outer) && !isAmbiguous(inner) &&
                     succeeded(Compose::matchAndRewrite(outer, rewriter)));
    }
  };

  static void replace(RewritePatternSet &patterns, SmallVectorImpl<std::string> &disabled) {
    patterns.add<Unambiguous<ComposeExpand, Expand, Collapse>, Unambiguous<ComposeCollapse, Collapse, Expand>>(
        patterns.getContext());
    disabled.push_back(llvm::getTypeName<ComposeExpand>().str());
    disabled.push_back(llvm::getTypeName<ComposeCollapse>().str());
  }
};

/// Upstream's composition of two reshapes guesses from types which dims belong together: [?, ?, ?] as [?*?, ?] it takes
/// for [?, ?*?]. So it is asked only where no group has two dims whose sizes the types leave open.
void composeReshapes(RewritePatternSet &patterns, SmallVectorImpl<std::string> &disabled) {
  Reshapes<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::DimOp, RankedTensorType>::replace(
      patterns, disabled);
  Reshapes<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp, memref::DimOp, MemRefType>::replace(
      patterns, disabled);
}

/// What a block has asserted holds behind it.
void dropRepeatedAssertions(ModuleOp module) {
  module.walk([](Block *block) {
    DenseSet<Value> asserted;
    for (cf::AssertOp assertion : llvm::make_early_inc_range(block->getOps<cf::AssertOp>()))
      if (!asserted.insert(assertion.getArg()).second)
        assertion.erase();
  });
}

} // namespace

LogicalResult sinter::simplify(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  // tensor.dim of a result becomes tensor.dim of what sized it: sizes then stand above the ops that make the tensors.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  // CombineIfs moves all that it has merged so far for each further choice: quadratic time.
  SmallVector<std::string> disabled{"(anonymous namespace)::CombineIfs"};
  composeReshapes(patterns, disabled);
  FrozenRewritePatternSet frozen(std::move(patterns), disabled);

  GreedyRewriteConfig config;
  config.useTopDownTraversal = true;
  config.enableRegionSimplification = GreedySimplifyRegionLevel::Normal;
  // Running out of iterations leaves valid IR, so the result is not looked at.
  (void)applyPatternsAndFoldGreedily(module, frozen, config);
  spellOutTensorSelects(module);
  IRRewriter rewriter(context);
  DominanceInfo dominance(module);
  partByRegions(module);
  eliminateCommonSubExpressions(rewriter, dominance, module);
  module.walk([](Operation *op) { op->removeAttr(regionsAttribute); });
  dropRepeatedAssertions(module);
  return success();
}
