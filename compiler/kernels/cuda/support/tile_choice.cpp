// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile_choice.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace sinter {
namespace {

/// Of a product whose sizes only calls know.
GpuProduct largeProduct() {
  constexpr int64_t large = 1024;
  GpuProduct product;
  product.sizes = {1, large, large, large, large};
  return product;
}

std::string describe(const TileWay &way) {
  std::string text = llvm::formatv("{0} x {1}", way.tile->rows, way.tile->columns).str();
  if (way.tile->warpRows)
    text += llvm::formatv(" in {0} stages", way.tile->stages).str();
  if (way.slices > 1)
    text += llvm::formatv(", k in {0} slices", way.slices).str();
  return text + llvm::formatv(", {0:f1} us", way.microseconds).str();
}

} // namespace

/// The fastest first; of equals the one with fewer stages, and the larger tile: it fetches less.
static void sortWays(std::vector<TileWay> &ways) {
  llvm::stable_sort(ways, [](const TileWay &a, const TileWay &b) { return a.microseconds < b.microseconds; });
}

std::vector<TileWay> normedWaysOf(const GpuProduct &product, ArrayRef<GpuTile> tiles, const Target &target) {
  constexpr int64_t rowsAtOnce = 4, warpThreads = 32;
  std::vector<TileWay> ways;
  for (const GpuTile &tile : tiles) {
    bool sharesRows = tile.rows % (tile.threads / warpThreads * rowsAtOnce) == 0;
    if (!sharesRows || normedTileBytes(tile, product.sizes.k) > target.gpu.sharedPerBlock)
      continue;
    TileWay way;
    way.tile = &tile;
    way.work = normedWork(product, tile, target.gpu);
    way.microseconds = timeOf(target.gpu, way.work).microseconds;
    ways.push_back(way);
  }
  sortWays(ways);
  return ways;
}

std::vector<TileWay> waysOf(const std::optional<GpuProduct> &known, ArrayRef<GpuTile> tiles, const Target &target) {
  GpuProduct product = known.value_or(largeProduct());
  std::vector<TileWay> ways;
  for (const GpuTile &tile : tiles) {
    if (tile.sharedBytes > target.gpu.sharedPerBlock)
      continue;
    TileWay way;
    way.tile = &tile;
    way.work = tile.warpRows ? matrixWork(product, tile, 1, target.gpu) : simtWork(product, tile);
    way.microseconds = timeOf(target.gpu, way.work).microseconds;
    ways.push_back(way);
  }
  sortWays(ways);
  return ways;
}

KernelAttr withTile(KernelAttr kernel, ArrayRef<TileWay> ways) {
  Builder b(kernel.getContext());
  const TileWay &best = ways.front();
  std::string choice = describe(best);
  const auto *other = llvm::find_if(ways, [&](const TileWay &way) {
    return way.tile->rows != best.tile->rows || way.tile->columns != best.tile->columns || way.slices != best.slices;
  });
  if (other != ways.end())
    choice += "; then " + describe(*other);
  return kernel
      .with("tile", b.getDenseI64ArrayAttr({best.tile->rows, best.tile->columns, best.tile->stages, best.slices}))
      .with("choice", b.getStringAttr(choice));
}

const TileWay &wayIn(KernelAttr kernel, ArrayRef<TileWay> ways) {
  ArrayRef<int64_t> tile = kernel ? kernel.numbers("tile") : ArrayRef<int64_t>();
  const auto *found = llvm::find_if(ways, [&](const TileWay &way) {
    return tile == ArrayRef<int64_t>{way.tile->rows, way.tile->columns, way.tile->stages, way.slices};
  });
  return found == ways.end() ? ways.front() : *found;
}

void setTile(ContractionCall &call, const GpuTile &tile) {
  call.rows = tile.rows;
  call.columns = tile.columns;
  call.grid = GridOfTiles{tile.threads, tile.sharedBytes};
  call.templateArguments.push_back(named(tile.type));
}

} // namespace sinter
