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
/// ones.
std::vector<TileWay> waysOf(const std::optional<GpuProduct> &product, llvm::ArrayRef<GpuTile> tiles,
                            const Target &target);

/// The same of products whose rows a block normalises first.
std::vector<TileWay> normedWaysOf(const GpuProduct &product, llvm::ArrayRef<GpuTile> tiles, const Target &target);

/// What choosing a tile settles, in the kernel's parameters: `tile` (rows, columns, stages, slices) and, in words,
/// `choice`.
KernelAttr withTile(KernelAttr kernel, llvm::ArrayRef<TileWay> ways);
/// The one that the parameters say; else the first.
const TileWay &wayIn(KernelAttr kernel, llvm::ArrayRef<TileWay> ways);

/// Rows, columns, threads and the tile's name.
void setTile(ContractionCall &call, const GpuTile &tile);

} // namespace sinter
