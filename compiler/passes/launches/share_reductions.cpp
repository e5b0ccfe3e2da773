// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: a reduction whose results are too few to fill the GPU by a thread or a warp each gets a block for a few
// results, where that is faster by the model: each of its threads folds a part of a result's elements, and the parts
// are merged in an order that depends on sizes alone (templates/cuda/block_fold.h). Sums over a map's pixels, of all of
// a tensor, of few long rows. ArgMax and its kind have another form (selectsByWarps in codegen/bodies).
//
// Preconditions: an operation whose order is free; a length that is known, or bounded.
#include "passes/passes.h"

#include "ir/dim_bounds.h"
#include "ir/fold_combiner.h"
#include "ir/host_ops.h"
#include "kernels/cuda/support/block_fold.h"

using namespace mlir;

namespace sinter {
namespace {

void shareNest(linalg::GenericOp nest, const Target &target, DimBounds &bounds) {
  bool asksIndices = nest->walk([](CheckIndexOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!combinerOf(nest) || !reasonForHost(nest).empty() || asksIndices)
    return;
  std::optional<FoldSizes> sizes = foldSizesOf(nest, bounds);
  if (!sizes)
    return;
  if (std::optional<BlockFold> fold = bestBlockFold(target.gpu, *sizes, /*maySlice=*/false))
    shareBy(nest, *fold);
}

} // namespace

LogicalResult shareReductions(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  DimBounds bounds;
  module.walk([&](linalg::GenericOp nest) {
    if (nest.getNumReductionLoops() && nest.hasPureBufferSemantics())
      shareNest(nest, target, bounds);
  });
  return success();
}

} // namespace sinter
