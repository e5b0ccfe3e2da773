// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one block does in turns of kBlockThreads items, because each result depends on all that come before it: values
// of earlier threads added up, and the first of all by an order. Its shared memory: kBlockBytes, from the start.
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/warp_reduce.h"

namespace sinter::cuda {
namespace {

constexpr int kBlockThreads = 512, kBlockWarps = kBlockThreads / kWarp, kBlockBytes = kBlockWarps * 8;

/// Of the values of all threads: the sum of earlier ones, and of all.
struct BlockSums {
  int32_t before, all;
};

/// All threads of the block come here.
SINTER_DEVICE BlockSums sumOfEarlier(int32_t value) {
  int32_t *const warps = sharedMemoryAs<int32_t>();
  const int32_t upTo = scanWarp(value, Sum{});
  syncBlock(); // what was there before has been read
  if (laneIndex() == kWarp - 1)
    warps[warpIndex()] = upTo;
  syncBlock();
  BlockSums sums = {upTo - value, 0};
  SINTER_DEVICE_UNROLL
  for (int w = 0; w < kBlockWarps; ++w) {
    sums.before += w < warpIndex() ? warps[w] : 0;
    sums.all += warps[w];
  }
  return sums;
}

/// The values of all threads merged, which all get. `merge` is symmetric and associative; values have 8 bytes.
template <class V, class Merge>
SINTER_DEVICE V combineBlock(V value, Merge merge) {
  static_assert(sizeof(V) * kBlockWarps <= kBlockBytes);
  V *const warps = sharedMemoryAs<V>();
  value = combineWarp(value, merge);
  syncBlock(); // what was there before has been read
  if (laneIndex() == 0)
    warps[warpIndex()] = value;
  syncBlock();
  value = warps[0];
  for (int w = 1; w < kBlockWarps; ++w)
    value = merge(value, warps[w]);
  return value;
}

} // namespace
} // namespace sinter::cuda
