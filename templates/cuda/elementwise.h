// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// out[i] = f(i, a[i], b[i], ...) for i < n: a fused chain of elementwise operations. A thread takes kPerThread adjacent
// elements in one load and one store of up to 16 bytes (kPerThread elements of the widest type are 16 bytes); those
// that do not fill one are taken one by one, by the first threads of the grid. What is broadcast is no operand: f reads
// it by i. Any grid; blocks are of kThreads.
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"

namespace sinter::cuda {
namespace {

/// What f gets: halves as float, others as they are.
template <class T>
SINTER_DEVICE T valueOf(T x) {
  return x;
}
SINTER_DEVICE float valueOf(f16 x) { return toFloat(x); }
SINTER_DEVICE float valueOf(bf16 x) { return toFloat(x); }

/// All pointers are aligned to kPerThread elements: kPerThread is 1 for those that are not. `out` may be an operand.
template <int kThreads, int kPerThread, class TC, class F, class... T>
SINTER_DEVICE void mapElements(TC *out, int64_t n, F f, const T *...in) {
  const int64_t first = int64_t(blockX()) * kThreads + threadIndex(), threads = int64_t(blocksX()) * kThreads;
  const int64_t whole = n / kPerThread;
  for (int64_t pack = first; pack < whole; pack += threads) {
    const auto apply = [&](const auto... packs) { // by value: each is one load
      Pack<TC, kPerThread> results;
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < kPerThread; ++e)
        results.at[e] = stored<TC>(f(pack * kPerThread + e, valueOf(packs.at[e])...));
      reinterpret_cast<Pack<TC, kPerThread> *>(out)[pack] = results;
    };
    apply(reinterpret_cast<const Pack<T, kPerThread> *>(in)[pack]...);
  }
  const int64_t i = whole * kPerThread + first;
  if (i < n)
    out[i] = stored<TC>(f(i, valueOf(in[i])...));
}

} // namespace
} // namespace sinter::cuda
