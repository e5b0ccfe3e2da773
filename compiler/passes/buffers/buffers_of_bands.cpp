// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads compute bands of rows side by side (ir/bands.h), so what a band works in, windows over feature maps and
// kernels' scratch, is there once for each: one block in front of the loop, of which the band with number i has bytes
// i * size and on. In front of the loop it also lives as long as all bands do, whichever of them has come how far.
#include "passes/passes.h"

#include "ir/bands.h"
#include "ir/dim_bounds.h"
#include "memory/places.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t cacheLine = 64; // bands share none

LogicalResult giveEachBand(scf::ForOp loop, memref::AllocOp alloc, int64_t bands, DimBounds &bounds) {
  MemRefType type = alloc.getType();
  std::optional<int64_t> elements = bounds.maxElements(alloc);
  int64_t bytes;
  if (!elements || llvm::MulOverflow(*elements, elementBytes(type.getElementType()), bytes) ||
      bytes > INT64_MAX / 4 / bands)
    return alloc.emitError("a buffer has no bound on its size");
  bytes = static_cast<int64_t>(llvm::alignTo(std::max<int64_t>(bytes, 1), cacheLine));
  OpBuilder b(loop);
  Location loc = alloc.getLoc();
  auto all = MemRefType::get({bytes * bands}, b.getI8Type(), MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value block = b.create<memref::AllocOp>(loc, all);
  b.setInsertionPoint(alloc);
  Value begin = b.create<affine::AffineApplyOp>(loc, b.getAffineDimExpr(0) * bytes, ValueRange{loop.getInductionVar()});
  Value own = b.create<memref::ViewOp>(loc, type, block, begin, alloc.getDynamicSizes());
  alloc.replaceAllUsesWith(own);
  alloc.erase();
  return success();
}

} // namespace

LogicalResult buffersOfBands(ModuleOp module) {
  DimBounds bounds;
  WalkResult all = module.walk([&](scf::ForOp loop) -> WalkResult {
    if (!isOverBands(loop))
      return WalkResult::advance();
    std::optional<int64_t> bands = getConstantIntValue(loop.getUpperBound());
    if (!bands || loop.getNumRegionIterArgs() > 0)
      return loop.emitError("internal error: bands hand something on to each other");
    SmallVector<memref::AllocOp> allocs;
    loop.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
    for (memref::AllocOp alloc : allocs)
      if (failed(giveEachBand(loop, alloc, *bands, bounds)))
        return failure();
    return WalkResult::advance();
  });
  return failure(all.wasInterrupted());
}

} // namespace sinter
