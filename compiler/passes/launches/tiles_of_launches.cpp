// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: contractions that run side by side take the tile that is best for all of them. Each has chosen for itself,
// as if it had the GPU alone; together they have more blocks, so larger tiles, which fetch less, leave no part of it
// idle.
//
// Preconditions: all ops of the launch are contractions of one kernel with tiles.
#include "passes/passes.h"

#include "ir/launch.h"
#include "kernels/cuda/support/tile_choice.h"

using namespace mlir;

namespace sinter {
namespace {

template <class Contraction>
void chooseTogether(ArrayRef<Contraction> ops, const Target &target) {
  const auto *kernel = kernelOf(ops.front());
  if (!kernel || !kernel->tileWays || llvm::any_of(ops, [&](Contraction op) { return kernelOf(op) != kernel; }))
    return;
  SmallVector<std::vector<TileWay>> all;
  for (Contraction op : ops)
    all.push_back(kernel->tileWays(op, target, /*maySlice=*/false));
  std::vector<TileWay> together = waysTogether(all, target);
  if (!together.empty())
    for (Contraction op : ops)
      op.setKernelAttr(withTile(op.getKernelAttr(), together));
}

/// The launch's ops if all are of this kind, views aside.
template <class Contraction>
SmallVector<Contraction> allOf(LaunchOp launch) {
  SmallVector<Contraction> ops;
  for (Operation &op : launch.getBody().front().without_terminator()) {
    if (auto contraction = dyn_cast<Contraction>(op))
      ops.push_back(contraction);
    else if (isa<DestinationStyleOpInterface>(op))
      return {};
  }
  return ops;
}

} // namespace

LogicalResult tilesOfLaunches(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  module.walk([&](LaunchOp launch) {
    if (launch.getForm() != "side_by_side")
      return;
    if (SmallVector<ConvOp> convolutions = allOf<ConvOp>(launch); !convolutions.empty())
      chooseTogether<ConvOp>(convolutions, target);
    if (SmallVector<MatmulOp> products = allOf<MatmulOp>(launch); !products.empty())
      chooseTogether<MatmulOp>(products, target);
  });
  return success();
}

} // namespace sinter
