// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attention_heads as kernels of GPUs meet it, and what a launch of each of its ways does, in the numbers of gpu_time.h.
#pragma once

#include "gpu_time.h"
#include "ir/dialect.h"
#include "templates/cuda/attention_shape.h"

namespace sinter {

/// The most of each; heads of all batches.
struct AttentionSizes {
  double heads = 1, queries = 1, keys = 1;
  double depth = 1, width = 1; ///< elements of a query and of a value
  double elementBytes = 4, mapBytes = 0;
  bool hasMask = false, isAligned = true;
};
/// Nothing where a size has no bound.
std::optional<AttentionSizes> attentionSizesOf(KernelOp op);

/// Whether rows of queries, keys, values and results begin where chunks of 16 bytes, and pairs, are aligned.
bool hasAlignedHeads(KernelOp op);

/// A warp for each query (templates/cuda/attention_rows.h), or a block of so many that share its keys
/// (attention_block.h).
GpuWork attentionRowsWork(const AttentionSizes &sizes, int64_t warpsOfQuery = 1);
/// Tiles on the matrix unit: templates/cuda/flash_attention.h.
GpuWork attentionTilesWork(const AttentionSizes &sizes, const cuda::AttentionShape &shape, const GpuModel &gpu);

} // namespace sinter
