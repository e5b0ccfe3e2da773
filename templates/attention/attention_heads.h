// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention over batch and heads on strided views: q [b, h, l, e], k [b, h, s, e], v [b, h, s, w], out [b, h, l, w];
// the last dim of each is contiguous. Heads may lie between rows ([b, l, h, e] seen with its dims in another order):
// nothing is moved. One head: attention.h.
#pragma once

#include "runtime-lite/view.h"
#include "templates/attention/attention.h"

namespace sinter {
namespace {

struct AttentionHeadsParams {
  double scale;
  bool zero_masked_rows; ///< a row of scores that are all -infinity gives zeros instead of NaN
};

/// The register tile of the products, as good ones are in gemm.h.
constexpr int kAttentionRows = kLanes<float> >= 16 ? 14 : kLanes<float> >= 4 ? 6 : 4;
constexpr int kAttentionColumns = kLanes<float> >= 8 ? 2 * kLanes<float> : kLanes<float> >= 4 ? 8 : 4;

/// `bias(n, h)` gives the functor that adds the mask of a head to its scores.
template <class Q, class K, class V, class O, class Bias>
SINTER_INLINE void forEachHead(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                               const View<V, 4> &v, const View<O, 4> &out, float *scratch, Bias bias) {
  const AttentionShape shape = {q.sizes[2],   k.sizes[2],   q.sizes[3],   v.sizes[3],
                                q.strides[2], k.strides[2], v.strides[2], out.strides[2]};
  const float scale = static_cast<float>(p.scale);
  const bool guard = p.zero_masked_rows;
  for (int64_t n = 0; n < q.sizes[0]; ++n)
    for (int64_t h = 0; h < q.sizes[1]; ++h) {
      const auto masked = bias(n, h);
      const auto score = [&](auto x, int64_t i, int64_t j) { return masked(x * scale, i, j); };
      const auto visible = [&](int64_t) { return shape.keys; };
      const auto finish = [&](auto x, int64_t, int64_t) { return guard ? select(x == x, x, decltype(x){}) : x; };
      attention<kAttentionRows, kAttentionColumns>(
          shape, q.data + n * q.strides[0] + h * q.strides[1], k.data + n * k.strides[0] + h * k.strides[1],
          v.data + n * v.strides[0] + h * v.strides[1], out.data + n * out.strides[0] + h * out.strides[1], scratch,
          score, visible, finish);
    }
}

/// scratch: attentionScratch<kAttentionRows> floats, at most (14 + e) * s; with fewer than 4 queries l * s.
template <class Q, class K, class V, class O>
SINTER_FUNCTION void attentionHeads(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                    const View<V, 4> &v, const View<O, 4> &out, const View<float, 1> &scratch) {
  forEachHead(p, q, k, v, out, scratch.data,
              [](int64_t, int64_t) { return [](auto x, int64_t, int64_t) { return x; }; });
}

/// The same with a mask added to the scores; its dims of size 1 are broadcast over b, h and l. The last dim is s,
/// contiguous.
template <class Q, class K, class V, class M, class O>
SINTER_FUNCTION void attentionHeads(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                    const View<V, 4> &v, const View<M, 4> &mask, const View<O, 4> &out,
                                    const View<float, 1> &scratch) {
  const auto step = [&](int d) { return mask.sizes[d] == 1 ? int64_t(0) : mask.strides[d]; };
  const int64_t batch = step(0), head = step(1), row = step(2);
  forEachHead(p, q, k, v, out, scratch.data, [&](int64_t n, int64_t h) {
    const M *base = mask.data + n * batch + h * head;
    return [base, row](auto x, int64_t i, int64_t j) { return x + load<decltype(x)>(base + i * row + j); };
  });
}

} // namespace
} // namespace sinter
