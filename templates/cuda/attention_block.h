// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention where queries are few and keys many, as when a decoder makes one token: a block for each query, whose warps
// take keys in turns (attention_rows.h), 32 at a time. What each warp has seen is merged in the order of warps, so
// results are the same in every run. Grid: along x, queries innermost, then heads, then batches.
#pragma once

#include "templates/cuda/attention_rows.h"

namespace sinter {
namespace {

/// In shared memory: for each warp a pass of sums, the greatest score and the sum of shares.
template <int warps>
struct AttentionBlock {
  static constexpr int kWarps = warps, kThreads = kWarps * cuda::kWarp,
                       kSharedBytes = kWarps * (SeenKeys::kPass + 2) * 4;
};

template <class Block, class Q, class K, class V, class O, class Mask>
SINTER_DEVICE void attentionOfBlock(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                    const View<V, 4> &v, const View<O, 4> &out, Mask mask) {
  constexpr int kWarps = Block::kWarps, kThreads = Block::kThreads;
  const QueryOfHead<Q, K, V, O> at(cuda::blockX(), q, k, v, out);
  const int64_t width = v.sizes[3];
  float *const sums = cuda::sharedMemoryAs<float>(), *const marks = sums + kWarps * SeenKeys::kPass;
  const int warp = cuda::warpIndex(), lane = cuda::laneIndex();
  for (int64_t begin = 0; begin < width; begin += SeenKeys::kPass) {
    SeenKeys seen;
    seeKeys(seen, at, float(p.scale), q, k, v, begin, int64_t(warp) * cuda::kWarp, kThreads, mask);
    if (begin > 0)
      cuda::syncBlock(); // nobody reads the last pass any more
    SINTER_DEVICE_UNROLL
    for (int u = 0; u < SeenKeys::kMost; ++u)
      sums[warp * SeenKeys::kPass + u * cuda::kWarp + lane] = seen.results[u];
    if (lane == 0) {
      marks[2 * warp] = seen.largest;
      marks[2 * warp + 1] = seen.sum;
    }
    cuda::syncBlock();
    SINTER_DEVICE_LOOP
    for (int64_t d = cuda::threadIndex(); d < SeenKeys::kPass && begin + d < width; d += kThreads) {
      float largest = marks[0], sum = 0.0f, result = 0.0f;
      SINTER_DEVICE_UNROLL
      for (int w = 1; w < kWarps; ++w)
        largest = max(largest, marks[2 * w]);
      SINTER_DEVICE_UNROLL
      for (int w = 0; w < kWarps; ++w) {
        // A warp that saw nothing has nothing to give.
        const float factor = marks[2 * w] == -cuda::infinity() ? 0.0f : expNegative(marks[2 * w] - largest);
        sum = fma(marks[2 * w + 1], factor, sum);
        result = fma(sums[w * SeenKeys::kPass + d], factor, result);
      }
      at.result[begin + d] = convert<O>(shareOfSum(p, result, sum, largest));
    }
  }
}
template <class Block, class Q, class K, class V, class O>
SINTER_DEVICE void attentionHeadsBlock(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                       const View<V, 4> &v, const View<O, 4> &out, const View<float, 1> &) {
  attentionOfBlock<Block>(p, q, k, v, out, NothingAdded{});
}
template <class Block, class Q, class K, class V, class M, class O>
SINTER_DEVICE void attentionHeadsBlock(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                       const View<V, 4> &v, const View<M, 4> &mask, const View<O, 4> &out,
                                       const View<float, 1> &) {
  attentionOfBlock<Block>(p, q, k, v, out, MaskAdded<M>(mask));
}

} // namespace
} // namespace sinter
