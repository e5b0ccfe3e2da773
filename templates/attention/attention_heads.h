// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention over batch and heads on strided views: q [b, h, l, e], k [b, h, s, e], v [b, h, s, w], out [b, h, l, w];
// the last dim of each is contiguous. Heads may lie between rows ([b, l, h, e] seen with its dims in another order):
// nothing is moved. K and V may be rows of a cache in fewer bits, whose last dim is what such a row takes
// (cache_rows.h). One head: attention.h.
#pragma once

#include "runtime-lite/view.h"
#include "templates/attention/attention.h"

namespace sinter {
namespace {

struct AttentionHeadsParams {
  double scale;
  bool zero_masked_rows; ///< a row of scores that are all -infinity gives zeros instead of NaN
  int64_t queries = 0;   ///< of all shares, where q has those of one
};

/// The register tile of the products, as good ones are in gemm.h.
constexpr int kAttentionRows = kLanes<float> >= 16 ? 14 : kLanes<float> >= 4 ? 6 : 4;
constexpr int kAttentionColumns = kLanes<float> >= 8 ? 2 * kLanes<float> : kLanes<float> >= 4 ? 8 : 4;

/// Scores below this are as good as -infinity beside any that is not masked.
constexpr float kHiddenScore = -1e30f;

/// So many keys a query sees whose mask has these numbers: those behind are hidden. All, where it sees none: what
/// comes of that is the mask's own.
template <class M>
SINTER_INLINE int64_t keysSeen(const M *mask, int64_t keys) {
  constexpr int64_t lanes = kLanes<float>, together = 8;
  using V = Vec<float, int(lanes)>;
  if (keys == 0 || convert<float>(mask[keys - 1]) > kHiddenScore)
    return keys;
  int64_t seen = keys;
  const auto areHidden = [&](auto vectors) { // the largest of a vector's lanes takes longer than the loads
    constexpr int64_t n = kFixed<decltype(vectors)>;
    V most = load<V>(mask + seen - lanes);
    for (int64_t i = 2; i <= n; ++i)
      most = max(most, load<V>(mask + seen - i * lanes));
    return maxOf(most) <= kHiddenScore;
  };
  while (seen >= together * lanes && areHidden(Fixed<together>{}))
    seen -= together * lanes;
  while (seen >= lanes && areHidden(Fixed<1>{}))
    seen -= lanes;
  while (seen > 0 && convert<float>(mask[seen - 1]) <= kHiddenScore)
    --seen;
  return seen > 0 ? seen : keys;
}

/// `bias(n, h)` gives what masks the scores of a head: functors add(v, i, j) and visible(i); queries `maskRows` apart
/// are masked alike. `isOfAllHeads`: it is the same for all heads.
template <class Q, class K, class V, class O, class Bias>
SINTER_INLINE void forEachHead(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                               const View<V, 4> &v, const View<O, 4> &out, float *scratch, bool isOfAllHeads,
                               int64_t maskRows, Bias bias) {
  const AttentionShape shape = {q.sizes[2],   k.sizes[2],   q.sizes[3],   numbersOfRow<V>(v.sizes[3]),
                                q.strides[2], k.strides[2], v.strides[2], out.strides[2],
                                p.queries};
  const float scale = static_cast<float>(p.scale);
  const bool guard = p.zero_masked_rows;
  for (int64_t n = 0; n < q.sizes[0]; ++n)
    for (int64_t h = 0; h < q.sizes[1]; ++h) {
      const auto mask = bias(n, h);
      const auto score = [&](auto x, int64_t i, int64_t j) { return mask.add(x * scale, i, j); };
      const auto visible = [&](int64_t i) { return mask.visible(i); };
      const auto finish = [&](auto x, int64_t, int64_t) { return guard ? select(x == x, x, decltype(x){}) : x; };
      attention<kAttentionRows, kAttentionColumns>(
          shape, q.data + n * q.strides[0] + h * q.strides[1], k.data + n * k.strides[0] + h * k.strides[1],
          v.data + n * v.strides[0] + h * v.strides[1], out.data + n * out.strides[0] + h * out.strides[1], scratch,
          score, visible, finish, isOfAllHeads && h > 0, maskRows);
    }
}

/// All keys are seen.
struct NoMask {
  int64_t keys;

  template <class V>
  SINTER_INLINE_MEMBER V add(V x, int64_t, int64_t) const {
    return x;
  }
  SINTER_INLINE_MEMBER int64_t visible(int64_t) const { return keys; }
};

/// Rows of a mask `step` elements apart, which queries go through again and again.
template <class M>
struct AddedMask {
  static constexpr int kFraction = 40; ///< exact for products of queries and rows below 2^40

  const M *base;
  int64_t step, rows, keys;
  uint64_t inverse;

  SINTER_INLINE_MEMBER AddedMask(const M *base, int64_t step, int64_t rows, int64_t keys)
      : base(base), step(step), rows(rows), keys(keys), inverse((uint64_t(1) << kFraction) / uint64_t(rows) + 1) {}
  /// i % rows without a division.
  SINTER_INLINE_MEMBER const M *rowOf(int64_t i) const {
    return rows == 1 ? base : base + (i - int64_t(uint64_t(i) * inverse >> kFraction) * rows) * step;
  }
  template <class V>
  SINTER_INLINE_MEMBER V add(V x, int64_t i, int64_t j) const {
    return x + load<V>(rowOf(i) + j);
  }
  SINTER_INLINE_MEMBER int64_t visible(int64_t i) const { return keysSeen(rowOf(i), keys); }
};

/// scratch: attentionScratch<kAttentionRows, K, V> floats.
template <class Q, class K, class V, class O>
SINTER_FUNCTION void attentionHeads(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                    const View<V, 4> &v, const View<O, 4> &out, const View<float, 1> &scratch) {
  forEachHead(p, q, k, v, out, scratch.data, true, 1, [&](int64_t, int64_t) { return NoMask{k.sizes[2]}; });
}

/// The same with a mask added to the scores; its dims of size 1 are broadcast over b, h and l. Of fewer rows than l,
/// which they divide, queries take the first again behind the last: heads of a group lie there one behind the other.
/// The last dim is s, contiguous.
template <class Q, class K, class V, class M, class O>
SINTER_FUNCTION void attentionHeads(const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                    const View<V, 4> &v, const View<M, 4> &mask, const View<O, 4> &out,
                                    const View<float, 1> &scratch) {
  const auto step = [&](int d) { return mask.sizes[d] == 1 ? int64_t(0) : mask.strides[d]; };
  const int64_t batch = step(0), head = step(1), row = step(2), rows = max(mask.sizes[2], int64_t(1));
  forEachHead(p, q, k, v, out, scratch.data, head == 0, rows, [&](int64_t n, int64_t h) {
    return AddedMask<M>(mask.data + n * batch + h * head, row, rows, k.sizes[2]);
  });
}

} // namespace
} // namespace sinter
