// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: a contraction whose result another one adds, element by element, in its epilogue (the two branches of a
// residual block that both end in a convolution) runs before it in one launch, tile by tile. The thread that adds an
// element is the one that has just stored it, so blocks need not wait for each other.
//
// Preconditions: the two have one kernel, one tile and outputs of one shape.
#include "passes/passes.h"

#include "passes/launches/support/grid_of.h"
#include "passes/launches/support/launches.h"

using namespace mlir;

namespace sinter {
namespace {

/// What an epilogue reads at the output's own places.
template <class Contraction>
SmallVector<memref::AllocOp> buffersAddedBy(Contraction op) {
  SmallVector<memref::AllocOp> added;
  for (auto [input, map] :
       llvm::zip(op.getEpilogueInputs(), op.getEpilogueMaps().template getAsValueRange<AffineMapAttr>()))
    if (auto buffer = input.template getDefiningOp<memref::AllocOp>(); buffer && map.isIdentity())
      added.push_back(buffer);
  return added;
}

/// The op that makes all of a buffer which only it and `reader` touch.
Operation *bufferMakerOf(memref::AllocOp buffer, Operation *reader) {
  std::optional<SmallVector<Operation *>> users = usersOf(buffer);
  if (!users || users->size() != 2 || users->back() != reader)
    return nullptr;
  auto maker = dyn_cast<DestinationStyleOpInterface>(users->front());
  bool isWhole = maker && maker.getNumDpsInits() == 1 && maker.getDpsInits()[0] == buffer.getResult();
  return isWhole ? users->front() : nullptr;
}

/// The other's tile, where both have the same kernel and each has chosen for itself: one launch is worth more than the
/// better tile.
template <class Contraction>
void takeTile(Contraction maker, Contraction op, const Target &target) {
  KernelAttr own = maker.getKernelAttr(), other = op.getKernelAttr();
  std::optional<GridOf> first = gridOf(maker, target), second = gridOf(op, target);
  if (own && other && first && second && own.getName() == other.getName() && other.has("tile"))
    maker.setKernelAttr(
        own.with("tile", other.getParams().get("tile")).with("choice", other.getParams().get("choice")));
}

template <class Contraction>
void launchWithMaker(Contraction op, const Target &target) {
  std::optional<GridOf> grid = gridOf(op, target);
  if (!grid || op.getInits().size() != 1)
    return;
  for (memref::AllocOp added : buffersAddedBy(op)) {
    Operation *maker = bufferMakerOf(added, op);
    if (maker && isa<Contraction>(maker))
      takeTile(cast<Contraction>(maker), op, target);
    std::optional<GridOf> makers = maker && isa<Contraction>(maker) ? gridOf(maker, target) : std::nullopt;
    if (!makers || makers->tile != grid->tile ||
        added.getType().getShape() != cast<MemRefType>(op.getInits()[0].getType()).getShape() || !canMeet({maker, op}))
      continue;
    // The sum takes the place of what it was added to.
    auto own = op.getInits()[0].template getDefiningOp<memref::AllocOp>();
    if (own && own.getType() == added.getType() && added->isBeforeInBlock(own)) {
      own.replaceAllUsesWith(added.getResult());
      own.erase();
    }
    makeLaunch("in_turn", {maker, op}, [](memref::AllocOp) { return false; });
    return;
  }
}

} // namespace

LogicalResult launchInTurn(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  SmallVector<Operation *> contractions;
  module.walk([&](Operation *op) {
    if (isa<ConvOp, MatmulOp>(op) && isa<MemRefType>(op->getOperand(0).getType()))
      contractions.push_back(op);
  });
  for (Operation *op : contractions) {
    if (op->getParentOfType<LaunchOp>())
      continue;
    if (auto conv = dyn_cast<ConvOp>(op))
      launchWithMaker(conv, target);
    else
      launchWithMaker(cast<MatmulOp>(op), target);
  }
  return success();
}

} // namespace sinter
