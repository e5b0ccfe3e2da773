// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value of each lane of a warp, merged into one that all lanes get: halves onto halves, in an order that depends on
// nothing. Values of 1 to 8 bytes; the merging functions are those of templates/loops/reduce_lanes.h.
#pragma once

#include "templates/cuda/device.h"
#include "templates/loops/reduce_lanes.h"

namespace sinter::cuda {
namespace {

/// The value of the lane whose number differs by the bits of `mask`.
template <class V>
SINTER_DEVICE V shuffleAny(V value, int mask) {
  if constexpr (sizeof(V) == 8) {
    const uint64_t word = bitCast<uint64_t>(value);
    const uint32_t low = shuffleXor(uint32_t(word), mask), high = shuffleXor(uint32_t(word >> 32), mask);
    return bitCast<V>(uint64_t(high) << 32 | low);
  } else if constexpr (sizeof(V) == 4) {
    return bitCast<V>(shuffleXor(bitCast<uint32_t>(value), mask));
  } else {
    return V(shuffleXor(uint32_t(value), mask)); // of an integer the low bits come back
  }
}

/// All 32 lanes come here.
template <class V, class Merge>
SINTER_DEVICE V combineWarp(V value, Merge merge) {
  SINTER_DEVICE_UNROLL
  for (int step = kWarp / 2; step > 0; step /= 2)
    value = merge(value, shuffleAny(value, step));
  return value;
}

} // namespace
} // namespace sinter::cuda
