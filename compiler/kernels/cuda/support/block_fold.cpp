// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_fold.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr double sector = 32, line = 128;
constexpr double perElement = 5; ///< instructions: an address, a load, a conversion, the operation, a part of the loop
constexpr int64_t mostAtOnce = 8;
constexpr llvm::StringLiteral foldAttribute = "chosen", foldName = "block_fold";

/// In a loop that compilers unroll by themselves.
GpuWork foldWork(const FoldSizes &sizes, double blocks, double threads, double elements, double atOnce) {
  GpuWork work;
  work.blocks = std::max(blocks, 1.0);
  work.threads = int64_t(threads);
  work.registers = 32;
  work.steps = std::max(std::ceil(elements / atOnce), 1.0);
  work.instructions = threads / warp * atOnce * (perElement + sizes.operations);
  work.mapBytes = sizes.results * sizes.length * sizes.elementBytes;
  return work;
}

/// Whether neighbours in memory of what is read belong to one result.
bool isAlongRows(linalg::GenericOp nest) {
  int64_t most = -1;
  bool isAlong = false;
  SmallVector<utils::IteratorType> loops = nest.getIteratorTypesArray();
  for (OpOperand *input : nest.getDpsInputOperands()) {
    auto type = dyn_cast<MemRefType>(input->get().getType());
    AffineMap map = nest.getMatchingIndexingMap(input);
    if (!type || map.getNumResults() == 0 || map.getNumResults() < most)
      continue;
    most = map.getNumResults();
    // Sizes 1 are no neighbours.
    int64_t last = type.getRank() - 1;
    while (last > 0 && type.getDimSize(last) == 1)
      --last;
    isAlong = llvm::any_of(llvm::enumerate(loops), [&](auto loop) {
      return loop.value() == utils::IteratorType::reduction &&
             map.getResult(unsigned(last)).isFunctionOfDim(unsigned(loop.index()));
    });
  }
  return isAlong;
}

/// Bytes that are read for one element of the nest.
double bytesOfElement(linalg::GenericOp nest) {
  double bytes = 0;
  for (OpOperand *input : nest.getDpsInputOperands())
    if (auto type = dyn_cast<MemRefType>(input->get().getType()); type && type.getElementType().isIntOrFloat())
      bytes += std::max(type.getElementTypeBitWidth() / 8, 1U);
  return std::max(bytes, 1.0);
}

} // namespace

std::optional<FoldSizes> foldSizesOf(linalg::GenericOp nest, DimBounds &bounds) {
  constexpr double unbounded = 1 << 16;
  SmallVector<std::pair<Value, int64_t>> dims;
  for (OpOperand &operand : nest->getOpOperands())
    for (int64_t d = 0; d < nest.getRank(&operand); ++d)
      dims.push_back({operand.get(), d});
  FoldSizes sizes;
  for (auto [loop, place] : llvm::zip(nest.getIteratorTypesArray(), nest.getShapesToLoopsMap().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(place);
    if (!dim)
      return std::nullopt;
    auto [value, d] = dims[dim.getPosition()];
    Interval interval = bounds.ofDim(value, d);
    if (loop == utils::IteratorType::reduction) {
      if (interval.high == INT64_MAX)
        return std::nullopt;
      sizes.length *= double(interval.high);
    } else {
      sizes.results *= double(std::max<int64_t>(interval.low, 1));
      sizes.mostResults *= interval.high == INT64_MAX ? unbounded : double(interval.high);
    }
  }
  sizes.mostResults = std::max(sizes.mostResults, sizes.results);
  sizes.elementBytes = bytesOfElement(nest);
  sizes.operations = double(nest.getBody()->getOperations().size()) - 1;
  sizes.isAlongRows = isAlongRows(nest);
  return sizes;
}

void shareBy(linalg::GenericOp nest, const BlockFold &fold) {
  Builder b(nest.getContext());
  std::string choice = std::to_string(fold.columns) + " x " + std::to_string(fold.threads / fold.columns) + " threads";
  if (fold.slices > 1)
    choice += " of " + std::to_string(fold.slices) + " blocks";
  nest->setAttr(foldAttribute, KernelAttr::get(nest.getContext(), foldName,
                                               b.getDictionaryAttr({
                                                   b.getNamedAttr("at_once", b.getI64IntegerAttr(fold.atOnce)),
                                                   b.getNamedAttr("choice", b.getStringAttr(choice)),
                                                   b.getNamedAttr("columns", b.getI64IntegerAttr(fold.columns)),
                                                   b.getNamedAttr("slices", b.getI64IntegerAttr(fold.slices)),
                                                   b.getNamedAttr("threads", b.getI64IntegerAttr(fold.threads)),
                                               })));
}

std::optional<BlockFold> blockFoldOf(linalg::GenericOp nest) {
  auto kernel = nest->getAttrOfType<KernelAttr>(foldAttribute);
  if (!kernel || kernel.getName() != foldName)
    return std::nullopt;
  return BlockFold{kernel.number("columns"), kernel.number("threads"), kernel.number("at_once"),
                   kernel.number("slices", 1)};
}

GpuWork blockFoldWork(const FoldSizes &sizes, const BlockFold &fold) {
  double warps = double(fold.threads) / warp, elements = std::ceil(sizes.length / double(fold.parts()));
  GpuWork work = foldWork(sizes, std::ceil(sizes.results / double(fold.columns)) * double(fold.slices),
                          double(fold.threads), elements, double(fold.atOnce));
  // Neighbours of another block's come along, up to a sector.
  double used = std::min(double(fold.columns), sizes.results) * sizes.elementBytes;
  double together = sizes.isAlongRows ? 1 : std::max(sector / used, 1.0);
  double loads = double(fold.threads * fold.atOnce);
  work.fetched = loads * sizes.elementBytes * together;
  // A line of the first-level cache at a time.
  work.sharedTraffic = sizes.isAlongRows ? 0 : loads / double(fold.columns) * line;
  // Lanes among themselves, then the first warp what all have left.
  work.once = warps * (40 + 2 * warps);
  if (fold.slices > 1) { // what a block has is stored, then counted, then others' is read and merged as before
    work.trips += 2 + std::ceil(double(fold.slices * fold.columns) / double(fold.threads));
    work.once *= 2;
  }
  return work;
}

GpuWork plainFoldWork(const FoldSizes &sizes) {
  constexpr double threads = 256, atOnce = 4;
  double sharers = sizes.isAlongRows ? warp : 1;
  GpuWork work =
      foldWork(sizes, std::ceil(sizes.results * sharers / threads), threads, std::ceil(sizes.length / sharers), atOnce);
  work.fetched = std::min(threads, sizes.results * sharers) * atOnce * sizes.elementBytes;
  work.once = sizes.isAlongRows ? threads / warp * 20 : 0;
  return work;
}

std::optional<BlockFold> bestBlockFold(const GpuModel &gpu, const FoldSizes &sizes, bool maySlice) {
  constexpr double leastGain = 0.2, leastFactor = 1.5;
  constexpr int64_t mostSlices = 256;
  FoldSizes few = sizes, many = sizes;
  many.results = sizes.mostResults;
  double least = timeOf(gpu, plainFoldWork(few)).microseconds;
  double bestProduct = least * timeOf(gpu, plainFoldWork(many)).microseconds / leastFactor;
  std::optional<BlockFold> best;
  auto look = [&](BlockFold fold) {
    double elements = std::max(std::ceil(sizes.length / double(fold.parts())), 1.0);
    fold.atOnce = int64_t(std::ceil(elements / std::ceil(elements / mostAtOnce)));
    double time = timeOf(gpu, blockFoldWork(few, fold)).microseconds;
    double product = time * timeOf(gpu, blockFoldWork(many, fold)).microseconds;
    if (product >= bestProduct || least - time < leastGain)
      return;
    best = fold;
    bestProduct = product;
  };
  for (int64_t slices = 1; slices <= (maySlice ? mostSlices : 1); slices *= 2)
    for (int64_t threads : {128, 256, 512, 1024})
      for (int64_t columns = 1; columns <= (sizes.isAlongRows ? 1 : int64_t(warp)); columns *= 2)
        if (double(threads / columns * slices) <= std::max(sizes.length, warp))
          look({columns, threads, 1, slices});
  return best;
}

} // namespace sinter
