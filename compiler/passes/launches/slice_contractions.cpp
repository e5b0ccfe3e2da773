// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: contractions whose tiles are too few to fill the GPU are cut along k, where that is faster by the model, and
// reductions along what they reduce. The block of a tile that counts itself last adds the slices in their order
// (templates/cuda/split_k.h, block_fold.h), so each gets a buffer of sums, and all of a block of ops share words that
// count, which are zero between launches: a launch in front of the first clears them beside its own work, or a fill
// does.
//
// Preconditions: a contraction or reduction that has its launch for itself, outside of loops, whose sizes are known.
#include "passes/passes.h"

#include "ir/value_names.h"
#include "kernels/cuda/support/block_fold.h"
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
constexpr double leastGainOfSlices = 0.3;

bool isAlone(Operation *op, const Target &target) {
  auto conv = dyn_cast<ConvOp>(op);
  return isa<func::FuncOp>(op->getParentOp()) && (!conv || conv.getGroup() == 1) && gridOf(op, target);
}

/// How many counters it needs if it was cut; 0 where it was not.
template <class Contraction>
int64_t cutContraction(Contraction op, const Target &target) {
  const auto *kernel = kernelOf(op);
  std::optional<GpuProduct> product = gpuProductOf(op);
  if (!kernel || !kernel->tileWays || !product || op.getInits().size() != 1)
    return 0;
  std::vector<TileWay> ways = kernel->tileWays(op, target, /*maySlice=*/true);
  const TileWay &best = ways.front();
  double whole = wayIn(op.getKernelAttr(), kernel->tileWays(op, target, /*maySlice=*/false)).microseconds;
  constexpr int64_t mostSums = 1 << 28;
  if (best.slices == 1 || whole - best.microseconds < leastGainOfSlices || partialsOf(*product, best) > mostSums)
    return 0;
  op.setKernelAttr(withTile(op.getKernelAttr(), ways));
  OpBuilder b(op);
  Type sum = op.accumulatorType();
  Value partials =
      b.create<memref::AllocOp>(withoutValueNames(op.getLoc()), MemRefType::get({partialsOf(*product, best)}, sum));
  op.getInitsMutable().append(partials);
  return countersOf(*product, best);
}

/// The same of a reduction whose elements the threads of a block share (share_reductions.cpp).
int64_t cutContraction(LaunchOp launch, const Target &target) {
  linalg::GenericOp nest;
  for (auto each : launch.getBody().front().getOps<linalg::GenericOp>())
    if (each.getNumReductionLoops())
      nest = each;
  std::optional<BlockFold> whole = nest ? blockFoldOf(nest) : std::nullopt;
  if (!whole || !isa<func::FuncOp>(launch->getParentOp()))
    return 0;
  DimBounds bounds;
  std::optional<FoldSizes> sizes = foldSizesOf(nest, bounds);
  Type value = cast<MemRefType>(nest.getDpsInits()[0].getType()).getElementType();
  Type held =
      isa<FloatType>(value) && value.getIntOrFloatBitWidth() < 32 ? Float32Type::get(value.getContext()) : value;
  if (!sizes || sizes->results != sizes->mostResults || held.getIntOrFloatBitWidth() < 32)
    return 0;
  std::optional<BlockFold> best = bestBlockFold(target.gpu, *sizes, /*maySlice=*/true);
  auto time = [&](const BlockFold &fold) { return timeOf(target.gpu, blockFoldWork(*sizes, fold)).microseconds; };
  if (!best || best->slices == 1 || time(*whole) - time(*best) < leastGainOfSlices)
    return 0;
  shareBy(nest, *best);
  int64_t blocks = llvm::divideCeil(int64_t(sizes->results), best->columns);
  OpBuilder b(launch);
  Value partials = b.create<memref::AllocOp>(withoutValueNames(launch.getLoc()),
                                             MemRefType::get({blocks * best->columns * best->slices}, held));
  launch.getInitsMutable().append(partials);
  return blocks;
}

void placeSliceCounters(ArrayRef<Operation *> sliced, int64_t count, const Target &target) {
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
    else if (auto launch = dyn_cast<LaunchOp>(op))
      launch.getInitsMutable().append(counters);
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
    int64_t counters = 0;
    if (auto launch = dyn_cast<LaunchOp>(op); launch && launch.getForm() == "reduction")
      counters = cutContraction(launch, target);
    else if (isa<ConvOp, MatmulOp>(op) && isa<MemRefType>(op->getOperand(0).getType()) && isAlone(op, target))
      counters =
          isa<ConvOp>(op) ? cutContraction(cast<ConvOp>(op), target) : cutContraction(cast<MatmulOp>(op), target);
    if (counters == 0)
      return;
    auto &[ops, most] = byBlock[op->getBlock()];
    ops.push_back(op);
    most = std::max(most, counters);
  });
  for (auto &[block, sliced] : byBlock)
    placeSliceCounters(sliced.first, sliced.second, target);
  return success();
}

} // namespace sinter
