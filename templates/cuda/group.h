// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that share a row: a warp, or the block. They combine a value of each, in an order that depends on kThreads
// alone, and all get the result.
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"

namespace sinter::cuda {
namespace {

struct Plus {
  template <class V>
  SINTER_DEVICE V operator()(V a, V b) const {
    return a + b;
  }
};
struct Greater {
  SINTER_DEVICE float operator()(float a, float b) const { return greater(a, b); }
  SINTER_DEVICE int32_t operator()(int32_t a, int32_t b) const { return a > b ? a : b; }
};

/// kThreads: 32, and the block has any number of groups; or more, and the block is one group.
template <int kThreads>
struct Group {
  static_assert(kThreads % kWarp == 0 && kThreads <= 1024);
  /// Of shared memory, from its start.
  static constexpr int kSharedBytes = kThreads == kWarp ? 0 : kThreads / kWarp * 4;

  static SINTER_DEVICE int thread() { return kThreads == kWarp ? laneIndex() : threadIndex(); }
  /// This group's number in the grid; blocks have `threads` threads.
  static SINTER_DEVICE int number(int threads) {
    return kThreads == kWarp ? blockX() * (threads / kWarp) + warpIndex() : blockX();
  }
  /// All threads of the group come here. V: 32 bits.
  template <class V, class Combine>
  static SINTER_DEVICE V combine(V value, Combine combine) {
    SINTER_DEVICE_UNROLL
    for (int step = kWarp / 2; step > 0; step /= 2)
      value = combine(value, shuffleXor(value, step));
    if constexpr (kThreads > kWarp) {
      V *const warps = sharedMemoryAs<V>();
      syncBlock(); // what was there before has been read
      if (laneIndex() == 0)
        warps[warpIndex()] = value;
      syncBlock();
      value = warps[0];
      SINTER_DEVICE_UNROLL
      for (int w = 1; w < kThreads / kWarp; ++w)
        value = combine(value, warps[w]);
    }
    return value;
  }
};

/// A row of up to kThreads * kPerThread elements in the group's registers, as float: thread t has elements
/// (p kThreads + t) kPack + e. Rows of whole packs that are aligned to them are read and written by packs.
template <int kThreads, int kPerThread, int kPack>
struct RowInRegisters {
  static_assert(kPerThread % kPack == 0);
  float at[kPerThread] = {};

  /// f(value, index) for each element that the row has.
  template <class F>
  SINTER_DEVICE void each(int n, F f) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kPerThread; ++i) {
      const int index = indexOf(i / kPack) + i % kPack;
      if (index < n)
        f(at[i], index);
    }
  }
  template <class T>
  SINTER_DEVICE void load(const T *row, int n) {
    SINTER_DEVICE_UNROLL
    for (int p = 0; p < kPerThread / kPack; ++p) {
      if (indexOf(p) >= n)
        continue;
      const Pack<T, kPack> pack = *reinterpret_cast<const Pack<T, kPack> *>(row + indexOf(p));
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < kPack; ++e)
        at[p * kPack + e] = toFloat(pack.at[e]);
    }
  }
  /// row[j] = f(value, j)
  template <class T, class F>
  SINTER_DEVICE void store(T *row, int n, F f) const {
    SINTER_DEVICE_UNROLL
    for (int p = 0; p < kPerThread / kPack; ++p) {
      if (indexOf(p) >= n)
        continue;
      Pack<T, kPack> pack;
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < kPack; ++e)
        pack.at[e] = stored<T>(f(at[p * kPack + e], indexOf(p) + e));
      *reinterpret_cast<Pack<T, kPack> *>(row + indexOf(p)) = pack;
    }
  }

private:
  static SINTER_DEVICE int indexOf(int pack) { return (pack * kThreads + Group<kThreads>::thread()) * kPack; }
};

} // namespace
} // namespace sinter::cuda
