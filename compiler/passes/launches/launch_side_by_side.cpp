// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: ops that do not depend on each other (products of one input: queries, keys and values, gate and up; fills
// and loop nests, such as masks, which are done earlier for it) are one launch, whose grid's third dim says which of
// them a block works at. At batch 1 one of them fills but a part of the GPU, and each launch has its gap.
//
// Preconditions: blocks have equally many threads, and at most half of the common grid's blocks have nothing to do
// where they are more than run at a time.
#include "passes/passes.h"

#include "passes/launches/support/grid_of.h"
#include "passes/launches/support/launches.h"

using namespace mlir;

namespace sinter {
namespace {

/// Ops that wait for the rest of their group are behind what was to run between: a few, so that nothing lives on for
/// long.
constexpr size_t mostBetween = 4, mostTogether = 8;

/// Blocks that a GPU has places for, so that those without work cost nothing: of loop nests twice as many as it
/// has threads for; of tiles, which take most of an SM, as many as one of some size.
int64_t fewBlocks(const GridOf &grid, const Target &target) {
  constexpr int64_t fewTiles = 128;
  return grid.tile.empty() ? 2 * target.gpu.sms * (target.gpu.threads / grid.threads) : fewTiles;
}

bool fillsGrid(ArrayRef<GridOf> grids, const Target &target) {
  int64_t x = 0, y = 0, used = 0;
  for (const GridOf &grid : grids) {
    x = std::max(x, grid.x);
    y = std::max(y, grid.y);
    used += grid.x * grid.y;
  }
  int64_t blocks = x * y * static_cast<int64_t>(grids.size());
  return blocks <= fewBlocks(grids.front(), target) || used * 2 >= blocks;
}

void groupBehind(Operation *first, const GridOf &grid, const Target &target) {
  SmallVector<Operation *> group{first};
  SmallVector<GridOf> grids{grid};
  size_t between = 0;
  Operation *next = first->getNextNode();
  while (Operation *op = between <= mostBetween && group.size() < mostTogether ? next : nullptr) {
    next = op->getNextNode(); // of where it stands now
    if (!isPayload(op)) {
      if (op->getNumRegions() > 0 && !isa<ConstantOp>(op))
        break;
      continue;
    }
    std::optional<GridOf> other = gridOf(op, target);
    group.push_back(op);
    grids.push_back(other.value_or(GridOf()));
    bool joins = other && other->threads == grid.threads && other->tile.empty() == grid.tile.empty() &&
                 fillsGrid(grids, target) &&
                 llvm::all_of(ArrayRef(group).drop_back(), [&](Operation *one) { return areIndependent(one, op); }) &&
                 (canMeet(group) || (grid.tile.empty() && moveUp(op, group.rbegin()[1])));
    if (!joins) {
      group.pop_back();
      grids.pop_back();
      ++between;
    }
  }
  if (group.size() > 1)
    makeLaunch("side_by_side", group, [](memref::AllocOp) { return false; });
}

} // namespace

LogicalResult launchSideBySide(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (dps && dps.hasPureBufferSemantics() && !isa<LaunchOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (op->getParentOfType<LaunchOp>())
      continue;
    if (std::optional<GridOf> grid = gridOf(op, target))
      groupBehind(op, *grid, target);
  }
  return success();
}

} // namespace sinter
