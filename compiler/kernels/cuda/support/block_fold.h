// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions to few results on GPUs: how threads share the elements of a result (templates/cuda/block_fold.h), and how
// long that takes against a thread or a warp for each result. passes/launches/share_reductions.cpp asks first; where
// blocks may count themselves, slice_contractions.cpp asks again.
#pragma once

#include "gpu_time.h"
#include "ir/dialect.h"
#include "ir/dim_bounds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

/// A reduction as a GPU meets it.
struct FoldSizes {
  double results = 1, mostResults = 1; ///< the least and the most that there can be
  double length = 1;                   ///< elements of each result, at most
  double elementBytes = 4;             ///< that are read for one of them
  double operations = 1;               ///< on each
  bool isAlongRows = false;            ///< the elements of a result are neighbours, not those of several results
};
/// Nothing where the length has no bound.
std::optional<FoldSizes> foldSizesOf(mlir::linalg::GenericOp nest, DimBounds &bounds);

/// The threads of a block as columns, a result each, of so many threads that each add up a part of its elements.
struct BlockFold {
  int64_t columns = 1, threads = 256;
  int64_t atOnce = 4; ///< elements of a thread that are under way at a time
  int64_t slices = 1; ///< blocks that share the elements of their columns

  int64_t parts() const { return threads / columns * slices; }
};

/// As an attribute of the loop nest, and back; nothing where a nest has none.
void shareBy(mlir::linalg::GenericOp nest, const BlockFold &fold);
std::optional<BlockFold> blockFoldOf(mlir::linalg::GenericOp nest);

GpuWork blockFoldWork(const FoldSizes &sizes, const BlockFold &fold);
/// A warp for each result along rows, else a thread for each.
GpuWork plainFoldWork(const FoldSizes &sizes);

/// The fastest way; nothing where a thread or a warp for each result is about as fast.
std::optional<BlockFold> bestBlockFold(const GpuModel &gpu, const FoldSizes &sizes, bool maySlice);

} // namespace sinter
