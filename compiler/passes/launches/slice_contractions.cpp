// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: contractions whose tiles are too few to fill the GPU are cut along k, where that is faster by the model. The
// block of a tile that counts itself last adds the slices in their order (templates/cuda/split_k.h), so each gets a
// buffer of sums, and all of a block of ops share words that count, which are zero between launches: a launch in front
// of the first clears them beside its own work, or a fill does.
//
// Preconditions: a contraction that has its launch for itself, outside of loops, whose sizes are known.
#include "passes/passes.h"

#include "ir/value_names.h"
#include "kernels/cuda/support/tile_choice.h"
#include "passes/launches/support/grid_of.h"
#include "passes/launches/support/launches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {
namespace {

/// What a cut has to save, in microseconds: the model knows it no better.
constexpr double leastGain = 0.3;

bool isAlone(Operation *op, const Target &target) {
  auto conv = dyn_cast<ConvOp>(op);
  return isa<func::FuncOp>(op->getParentOp()) && (!conv || conv.getGroup() == 1) && gridOf(op, target);
}

/// How many counters it needs if it was cut; 0 where it was not.
template <class Contraction>
int64_t cut(Contraction op, const Target &target) {
  const auto *kernel = kernelOf(op);
  std::optional<GpuProduct> product = gpuProductOf(op);
  if (!kernel || !kernel->tileWays || !product || op.getInits().size() != 1)
    return 0;
  std::vector<TileWay> ways = kernel->tileWays(op, target, /*maySlice=*/true);
  const TileWay &best = ways.front();
  double whole = wayIn(op.getKernelAttr(), kernel->tileWays(op, target, /*maySlice=*/false)).microseconds;
  constexpr int64_t mostSums = 1 << 28;
  if (best.slices == 1 || whole - best.microseconds < leastGain || partialsOf(*product, best) > mostSums)
    return 0;
  op.setKernelAttr(withTile(op.getKernelAttr(), ways));
  OpBuilder b(op);
  Type sum = op.getEpilogue().front().getArgument(0).getType();
  Value partials =
      b.create<memref::AllocOp>(withoutValueNames(op.getLoc()), MemRefType::get({partialsOf(*product, best)}, sum));
  op.getInitsMutable().append(partials);
  return countersOf(*product, best);
}

void placeCounters(ArrayRef<Operation *> sliced, int64_t count, const Target &target) {
  Operation *first = sliced.front();
  // A contraction before the first that has its launch for itself can clear them.
  Operation *clears = nullptr;
  for (Operation &op : first->getBlock()->getOperations()) {
    if (&op == first)
      break;
    if (isa<ConvOp, MatmulOp>(op) && gridOf(&op, target)) {
      clears = &op;
      break;
    }
  }
  OpBuilder b(clears ? clears : first);
  Location loc = withoutValueNames(first->getLoc());
  Value counters = b.create<memref::AllocOp>(loc, MemRefType::get({count}, b.getI32Type()));
  Value zero = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(0));
  Operation *fill = b.create<linalg::FillOp>(loc, zero, counters);
  for (Operation *op : sliced) {
    if (auto conv = dyn_cast<ConvOp>(op))
      conv.getInitsMutable().append(counters);
    else
      cast<MatmulOp>(op).getInitsMutable().append(counters);
  }
  if (clears)
    makeLaunch("in_turn", {fill, clears}, [](memref::AllocOp) { return false; });
}

} // namespace

LogicalResult sliceContractions(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  llvm::MapVector<Block *, std::pair<SmallVector<Operation *>, int64_t>> byBlock;
  module.walk([&](Operation *op) {
    if (!isa<ConvOp, MatmulOp>(op) || !isa<MemRefType>(op->getOperand(0).getType()) || !isAlone(op, target))
      return;
    int64_t counters = isa<ConvOp>(op) ? cut(cast<ConvOp>(op), target) : cut(cast<MatmulOp>(op), target);
    if (counters == 0)
      return;
    auto &[ops, most] = byBlock[op->getBlock()];
    ops.push_back(op);
    most = std::max(most, counters);
  });
  for (auto &[block, sliced] : byBlock)
    placeCounters(sliced.first, sliced.second, target);
  return success();
}

} // namespace sinter
