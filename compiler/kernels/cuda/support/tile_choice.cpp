// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile_choice.h"

#include "cuda/gpu.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

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

std::string describeTileWay(const TileWay &way) {
  std::string text = llvm::formatv("{0} x {1}", way.tile->rows, way.tile->columns).str();
  if (way.tile->warpRows)
    text += llvm::formatv(" by {0} warps in {1} stages", way.tile->threads / GpuArch::warp, way.tile->stages).str();
  if (way.slices > 1)
    text += llvm::formatv(", k in {0} slices", way.slices).str();
  return text + llvm::formatv(", {0:f1} us", way.microseconds).str();
}

} // namespace

/// What a kernel's `tile` says.
static SmallVector<int64_t> numbersOfWay(const TileWay &way) {
  return {way.tile->rows, way.tile->columns, way.tile->threads, way.tile->stages, way.slices};
}

/// The fastest first; of equals the one with fewer stages, and the larger tile: it fetches less.
static void sortWays(std::vector<TileWay> &ways) {
  llvm::stable_sort(ways, [](const TileWay &a, const TileWay &b) { return a.microseconds < b.microseconds; });
}

std::vector<TileWay> normedWaysOf(const GpuProduct &product, ArrayRef<GpuTile> tiles, const Target &target) {
  std::vector<TileWay> ways;
  for (const GpuTile &tile : tiles) {
    bool sharesRows = tile.rows % (tile.threads / GpuArch::warp) == 0;
    if (!sharesRows || normedTileBytes(tile, product.sizes.k) > target.gpu.sharedPerBlock)
      continue;
    TileWay way;
    way.tile = &tile;
    way.work = normedWork(product, tile, target.gpu);
    way.microseconds = timeInSequence(target.gpu, way.work).microseconds;
    ways.push_back(way);
  }
  sortWays(ways);
  return ways;
}

bool isSliced(KernelAttr kernel) {
  ArrayRef<int64_t> tile = kernel ? kernel.numbers("tile") : ArrayRef<int64_t>();
  return tile.size() == 5 && tile[4] > 1;
}

int64_t countersOf(const GpuProduct &product, const TileWay &way) {
  return product.sizes.batch * llvm::divideCeil(product.sizes.m, way.tile->rows) *
         llvm::divideCeil(product.sizes.n, way.tile->columns);
}
int64_t partialsOf(const GpuProduct &product, const TileWay &way) {
  return way.slices * countersOf(product, way) * way.tile->rows * way.tile->columns;
}

std::vector<TileWay> waysOf(const std::optional<GpuProduct> &known, ArrayRef<GpuTile> tiles, const Target &target,
                            bool maySlice) {
  constexpr int64_t mostSlices = 16;
  GpuProduct product = known.value_or(largeProduct());
  std::vector<TileWay> ways;
  for (const GpuTile &tile : tiles) {
    if (tile.sharedBytes > target.gpu.sharedPerBlock)
      continue;
    auto steps =
        static_cast<int64_t>(std::ceil(double(product.sizes.k) * product.elementBytes / double(tile.depthBytes)));
    for (int64_t slices = 1; slices <= (maySlice && tile.warpRows ? std::min(mostSlices, steps) : 1); ++slices) {
      if ((slices - 1) * int64_t(llvm::divideCeil(steps, slices)) >= steps) // nothing would be left for the last one
        continue;
      TileWay way;
      way.tile = &tile;
      way.slices = slices;
      way.work = tile.warpRows ? matrixWork(product, tile, slices, target.gpu) : simtWork(product, tile);
      way.microseconds = timeInSequence(target.gpu, way.work).microseconds;
      ways.push_back(way);
    }
  }
  sortWays(ways);
  return ways;
}

std::vector<TileWay> waysTogether(ArrayRef<std::vector<TileWay>> all, const Target &target) {
  std::vector<TileWay> together;
  for (TileWay way : all.front()) {
    bool isEverywhere = true;
    for (const std::vector<TileWay> &ways : all.drop_front()) {
      auto same = llvm::find_if(
          ways, [&](const TileWay &other) { return other.tile == way.tile && other.slices == way.slices; });
      isEverywhere &= same != ways.end();
      if (isEverywhere)
        way.work = sideBySide(way.work, same->work);
    }
    way.microseconds = timeInSequence(target.gpu, way.work).microseconds;
    if (isEverywhere)
      together.push_back(way);
  }
  sortWays(together);
  return together;
}

KernelAttr withTile(KernelAttr kernel, ArrayRef<TileWay> ways) {
  Builder b(kernel.getContext());
  const TileWay &best = ways.front();
  std::string choice = describeTileWay(best);
  const auto *other = llvm::find_if(ways, [&](const TileWay &way) {
    return way.tile->rows != best.tile->rows || way.tile->columns != best.tile->columns || way.slices != best.slices;
  });
  if (other != ways.end())
    choice += "; then " + describeTileWay(*other);
  return kernel.with("tile", b.getDenseI64ArrayAttr(numbersOfWay(best))).with("choice", b.getStringAttr(choice));
}

const TileWay &wayIn(KernelAttr kernel, ArrayRef<TileWay> ways) {
  ArrayRef<int64_t> tile = kernel ? kernel.numbers("tile") : ArrayRef<int64_t>();
  const auto *found = llvm::find_if(ways, [&](const TileWay &way) { return tile == ArrayRef(numbersOfWay(way)); });
  return found == ways.end() ? ways.front() : *found;
}

StringRef onMatrixUnit(Type element, int64_t products) {
  return !element.isF32() ? "on the matrix unit"
         : products == 1  ? "on the matrix unit as one product of TF32"
                          : "on the matrix unit as three products of TF32";
}
std::string onMatrixUnit(const GpuTile &tile, Type element, bool isAligned, StringRef function) {
  return (onMatrixUnit(element, tile.products) + (isAligned ? ", by chunks of 16 bytes: " : ", elements one by one: ") +
          function)
      .str();
}

void setTile(ContractionCall &call, const GpuTile &tile) {
  call.rows = tile.rows;
  call.columns = tile.columns;
  call.grid = GridOfTiles{tile.threads, tile.sharedBytes};
  call.templateArguments.push_back(named(tile.type));
}

void setRowsOfWarps(ContractionCall &call, int64_t rows, int64_t pack) {
  constexpr int64_t threads = 128, columns = 4;
  call.rows = rows <= 1 ? 1 : rows <= 2 ? 2 : mostFewRows;
  call.columns = columns;
  call.grid = GridOfTiles{threads, 0};
  call.templateArguments = {named(call.rows == 1   ? "cuda::RowsOfWarps<1>"
                                  : call.rows == 2 ? "cuda::RowsOfWarps<2>"
                                                   : "cuda::RowsOfWarps<4>"),
                            numbered(pack)};
}

void slice(ContractionCall &call, int64_t slices, StringRef function) {
  call.function = function;
  call.headers.push_back("templates/cuda/split_k.h");
  call.grid->slices = slices;
  CallArgument partials[] = {numbered(slices), scratchAs(""), CallArgument::Counters};
  call.arguments.insert(call.arguments.end() - 1, std::begin(partials), std::end(partials));
}

} // namespace sinter
