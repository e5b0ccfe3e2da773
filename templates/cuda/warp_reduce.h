// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value of each lane of a warp, merged into one that all lanes get, or into one of all lanes up to each: halves onto
// halves, in an order that depends on nothing. Values of 1 to 8 bytes; the merging functions are those of
// templates/loops/reduce_lanes.h.
#pragma once

#include "templates/cuda/device.h"
#include "templates/loops/reduce_lanes.h"

namespace sinter::cuda {
namespace {

/// A value by a function that moves words between lanes.
template <class V, class Move>
SINTER_DEVICE V moveWords(V value, Move move) {
  if constexpr (sizeof(V) == 8) {
    const uint64_t word = bitCast<uint64_t>(value);
    const uint32_t low = move(uint32_t(word)), high = move(uint32_t(word >> 32));
    return bitCast<V>(uint64_t(high) << 32 | low);
  } else if constexpr (sizeof(V) == 4) {
    return bitCast<V>(move(bitCast<uint32_t>(value)));
  } else {
    return V(move(uint32_t(value))); // of an integer the low bits come back
  }
}
/// The value of the lane whose number differs by the bits of `mask`.
template <class V>
SINTER_DEVICE V shuffleAny(V value, int mask) {
  return moveWords(value, [&](uint32_t word) { return shuffleXor(word, mask); });
}
/// The value of a lane.
template <class V>
SINTER_DEVICE V valueOfLane(V value, int lane) {
  return moveWords(value, [&](uint32_t word) { return shuffleFrom(word, lane); });
}

/// All 32 lanes come here.
template <class V, class Merge>
SINTER_DEVICE V combineWarp(V value, Merge merge) {
  SINTER_DEVICE_UNROLL
  for (int step = kWarp / 2; step > 0; step /= 2)
    value = merge(value, shuffleAny(value, step));
  return value;
}

/// The values of all lanes up to this one, merged. All 32 lanes come here.
template <class V, class Merge>
SINTER_DEVICE V scanWarp(V value, Merge merge) {
  const int lane = laneIndex();
  SINTER_DEVICE_UNROLL
  for (int step = 1; step < kWarp; step *= 2) {
    const V earlier = valueOfLane(value, lane >= step ? lane - step : lane);
    value = lane >= step ? merge(earlier, value) : value;
  }
  return value;
}

} // namespace
} // namespace sinter::cuda
