// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions to few results: the threads of a block are columns, thread t of column t % kColumns, each with a part of
// that result's elements. Where results are neighbours in memory, so are columns; where a result's elements are, there
// is one column. The order of merging depends on sizes alone.
#pragma once

#include "templates/cuda/last_block.h"
#include "templates/cuda/launch_order.h"
#include "templates/cuda/warp_reduce.h"

namespace sinter::cuda {
namespace {

/// The values of each column's threads merged, which thread t < kColumns gets for column t. All threads of the block
/// come here. kThreads / 32 * kColumns values of shared memory.
template <int kThreads, int kColumns, class V, class Merge>
SINTER_DEVICE V foldColumns(V value, Merge merge) {
  V *const parts = sharedMemoryAs<V>();
  letNextBegin();
  SINTER_DEVICE_UNROLL
  for (int step = kWarp / 2; step >= kColumns; step /= 2)
    value = merge(value, shuffleAny(value, step));
  if (laneIndex() < kColumns)
    parts[warpIndex() * kColumns + laneIndex()] = value;
  syncBlock();
  if (threadIndex() < kColumns) {
    SINTER_DEVICE_UNROLL
    for (int w = 1; w < kThreads / kWarp; ++w)
      value = merge(value, parts[w * kColumns + threadIndex()]);
  }
  return value;
}

/// The same of columns that `slices` blocks share, blockY of them: true in the block that comes to its end last, which
/// goes on with what all have, in the order of slices. `partials`: kColumns values for each block. `counters`: one for
/// each blockX, 0 before and after.
template <int kThreads, int kColumns, class V, class Merge>
SINTER_DEVICE bool foldSlices(V &value, V none, int slices, V *partials, uint32_t *counters, Merge merge) {
  value = foldColumns<kThreads, kColumns>(value, merge);
  V *const parts = partials + int64_t(blockX()) * slices * kColumns;
  if (threadIndex() < kColumns)
    parts[blockY() * kColumns + threadIndex()] = value;
  if (!isLastBlock(counters + blockX(), slices))
    return false;
  value = none;
  for (int i = threadIndex(); i < slices * kColumns; i += kThreads)
    value = merge(value, loadOthers(parts + i));
  syncBlock(); // all have read that this block is the last
  value = foldColumns<kThreads, kColumns>(value, merge);
  return true;
}

} // namespace
} // namespace sinter::cuda
