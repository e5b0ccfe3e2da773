// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tile a product takes on a GPU, and into how many slices its k is cut: all ways are estimated, the fastest is
// taken, and both it and the one behind it stay in #sinter.kernel for the report.
#pragma once

#include "product_work.h"

namespace sinter {

/// A way to compute a product by tiles.
struct TileWay {
  const GpuTile *tile = nullptr;
  int64_t slices = 1;
  GpuWork work;
  double microseconds = 0;
};

/// Ways whose tiles fit every GPU of the target, the fastest first. Sizes that only calls know are taken for large
/// ones. `maySlice`: k in slices, too, of tiles on the matrix unit.
std::vector<TileWay> waysOf(const std::optional<GpuProduct> &product, llvm::ArrayRef<GpuTile> tiles,
                            const Target &target, bool maySlice = false);
/// Whether the kernel's parameters have k in slices.
bool isSliced(KernelAttr kernel);
/// Sums of all slices, as words: `partials` of templates/cuda/split_k.h; and its counters.
int64_t partialsOf(const GpuProduct &product, const TileWay &way);
int64_t countersOf(const GpuProduct &product, const TileWay &way);

/// The same of products whose rows a block normalises first.
std::vector<TileWay> normedWaysOf(const GpuProduct &product, llvm::ArrayRef<GpuTile> tiles, const Target &target);

/// Of contractions side by side: the ways whose tile, and stages, all of them have, as one launch; the fastest first.
std::vector<TileWay> waysTogether(llvm::ArrayRef<std::vector<TileWay>> all, const Target &target);

/// What choosing a tile settles, in the kernel's parameters: `tile` (rows, columns, stages, slices) and, in words,
/// `choice`.
KernelAttr withTile(KernelAttr kernel, llvm::ArrayRef<TileWay> ways);
/// The one that the parameters say; else the first.
const TileWay &wayIn(KernelAttr kernel, llvm::ArrayRef<TileWay> ways);

/// That elements are multiplied there; floats as so many products.
llvm::StringRef onMatrixUnit(mlir::Type element, int64_t products);
/// Why a call of `function` is on the matrix unit, and how it takes its operands.
std::string onMatrixUnit(const GpuTile &tile, mlir::Type element, bool isAligned, llvm::StringRef function);
/// Rows, columns, threads and the tile's name.
void setTile(ContractionCall &call, const GpuTile &tile);
/// A warp for each column, with all of so few rows at once and `pack` elements a lane: templates/cuda/row_products.h.
void setRowsOfWarps(ContractionCall &call, int64_t rows, int64_t pack);
/// The call with k in slices: `function` of templates/cuda/split_k.h, or of tile_conv.h.
void slice(ContractionCall &call, int64_t slices, llvm::StringRef function);

} // namespace sinter
