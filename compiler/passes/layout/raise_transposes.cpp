// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose moves up through what only joins or reshapes tensors (the heads of a detector), towards the ops that make
// these: those may write in the other order for nothing (feature_maps.h, transposes_as_views.cpp).
//
// Precondition: nobody else reads what it transposes; dims that a reshape joins stay neighbours.
#include "passes/passes.h"

#include "builders/tensors.h"

using namespace mlir;

namespace sinter {
namespace {

Value transposed(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> permutation) {
  Sizes sizes = dimsOf(b, loc, x), moved;
  for (int64_t d : permutation)
    moved.push_back(sizes[d]);
  Value init = b.create<tensor::EmptyOp>(loc, moved, getElementTypeOrSelf(x));
  return b.create<linalg::TransposeOp>(loc, x, init, permutation).getResult()[0];
}

/// transpose(concat(a, b)) = concat(transpose(a), transpose(b)).
struct ThroughConcat : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose, PatternRewriter &rewriter) const override {
    auto concat = transpose.getInput().getDefiningOp<tensor::ConcatOp>();
    if (!concat || !concat->hasOneUse())
      return failure();
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    SmallVector<Value> parts;
    for (Value part : concat.getInputs())
      parts.push_back(transposed(rewriter, transpose.getLoc(), part, permutation));
    int64_t axis = llvm::find(permutation, static_cast<int64_t>(concat.getDim())) - permutation.begin();
    auto type = cast<RankedTensorType>(transpose->getResult(0).getType());
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(transpose, type, axis, parts);
    return success();
  }
};

/// transpose(collapse(x)) = collapse(transpose(x)): the dims of a group move together.
struct ThroughCollapse : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose, PatternRewriter &rewriter) const override {
    auto collapse = transpose.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !collapse->hasOneUse() || !collapse.getSrc().getDefiningOp<tensor::ConcatOp>())
      return failure();
    SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices(), moved;
    SmallVector<int64_t> permutation;
    for (int64_t d : transpose.getPermutation()) {
      moved.emplace_back();
      for (int64_t inner : groups[d]) {
        moved.back().push_back(static_cast<int64_t>(permutation.size()));
        permutation.push_back(inner);
      }
    }
    Value x = transposed(rewriter, transpose.getLoc(), collapse.getSrc(), permutation);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        transpose, cast<RankedTensorType>(transpose->getResult(0).getType()), x, moved);
    return success();
  }
};

} // namespace

LogicalResult raiseTransposes(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  patterns.add<ThroughConcat, ThroughCollapse>(module.getContext());
  return applyPatternsAndFoldGreedily(module, std::move(patterns));
}

} // namespace sinter
