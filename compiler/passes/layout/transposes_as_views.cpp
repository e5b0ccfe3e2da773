// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose in front of or behind an op that takes strided operands (matrix products, attention) costs nothing: it
// becomes a view. The innermost dim of what such a kernel reads or writes by vectors must stay contiguous, where the
// kernel says so.
//
// One that only moves dims of size 1 costs nothing at all: it is a reshape.
//
// Precondition: every user of the transposed tensor takes strides; for results, the op's only user is the transpose.
#include "passes/passes.h"

#include "ir/dense_dims.h"

#include "builders/tensors.h"

using namespace mlir;

namespace sinter {
namespace {

/// True if `operand` may have any strides but for a contiguous last dim.
bool takesStrides(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return operand.get() == matmul.getLhs() || (operand.get() == matmul.getRhs() && !matmul.getKernelAttr()) ||
           matmul.isDpsInit(&operand);
  if (auto kernel = dyn_cast<KernelOp>(op))
    return takesStridedRows(kernel);
  return false;
}

bool keepsLastDim(ArrayRef<int64_t> permutation) {
  return permutation.back() == static_cast<int64_t>(permutation.size()) - 1;
}

SmallVector<int64_t> inversePermutation(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result(permutation.size());
  for (auto [i, p] : llvm::enumerate(permutation))
    result[p] = i;
  return result;
}

/// transpose(x) read by strided ops only -> permute(x).
struct ReadThroughView : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose, PatternRewriter &rewriter) const override {
    Value y = transpose->getResult(0);
    if (y.use_empty() || !keepsLastDim(transpose.getPermutation()) || !llvm::all_of(y.getUses(), takesStrides))
      return failure();
    auto type = cast<RankedTensorType>(y.getType());
    rewriter.replaceOpWithNewOp<PermuteOp>(transpose, type, transpose.getInput(), transpose.getPermutation());
    return success();
  }
};

/// transpose(op(...)) -> op writes into a view of the transposed result.
struct WriteThroughView : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose, PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(transpose.getInput());
    auto dps = result ? dyn_cast<DestinationStyleOpInterface>(result.getOwner()) : nullptr;
    if (!dps || !result.hasOneUse() || !keepsLastDim(transpose.getPermutation()))
      return failure();
    OpOperand *init = dps.getTiedOpOperand(result);
    if (!takesStrides(*init) || !init->get().getDefiningOp<tensor::EmptyOp>() || init->get().getDefiningOp<PermuteOp>())
      return failure();
    rewriter.setInsertionPoint(dps);
    Location loc = transpose.getLoc();
    SmallVector<int64_t> forward(transpose.getPermutation()), back = inversePermutation(forward);
    auto moved = cast<RankedTensorType>(transpose->getResult(0).getType());
    Sizes sizes = dimsOf(rewriter, loc, init->get()), movedSizes;
    for (int64_t p : forward)
      movedSizes.push_back(sizes[p]);
    Value empty = rewriter.create<tensor::EmptyOp>(loc, movedSizes, moved.getElementType());
    Value view = rewriter.create<PermuteOp>(loc, result.getType(), empty, back);
    rewriter.modifyOpInPlace(dps, [&] { init->set(view); });
    rewriter.setInsertionPointAfter(dps);
    rewriter.replaceOpWithNewOp<PermuteOp>(transpose, moved, result, forward);
    return success();
  }
};

/// Dims other than 1 stay in order: the elements stay where they are.
struct MoveOnlyUnits : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(transpose.getInput().getType());
    SmallVector<int64_t> moved;
    for (int64_t d : transpose.getPermutation())
      if (type.getDimSize(d) != 1)
        moved.push_back(d);
    if (!llvm::is_sorted(moved))
      return failure();
    Tensors tensors{rewriter, transpose.getLoc()};
    Tensor x{transpose.getInput(), elementTypeOf(type.getElementType())};
    Sizes sizes = dimsOf(rewriter, transpose.getLoc(), x.value), result;
    for (int64_t d : transpose.getPermutation())
      result.push_back(sizes[d]);
    rewriter.replaceOp(transpose, tensors.reshape(x, result).value);
    return success();
  }
};

} // namespace

LogicalResult transposesAsViews(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  patterns.add<MoveOnlyUnits>(module.getContext(), /*benefit=*/2);
  patterns.add<ReadThroughView, WriteThroughView>(module.getContext());
  return applyPatternsAndFoldGreedily(module, std::move(patterns));
}

} // namespace sinter
