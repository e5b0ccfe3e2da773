// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention for a query at a time, of any types, strides and lengths, in float: a warp goes over keys, 32 at a time.
// Each lane has the score of one of these, the greatest score so far and the sum go along, and each lane has every 32nd
// element of the result, kMost of them at most a pass over the keys. attention_block.h shares the keys among warps.
#pragma once

#include "templates/attention/attention_heads.h"
#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"
#include "templates/cuda/warp_reduce.h"

namespace sinter {
namespace {

/// What a warp has of a query: elements begin + 32 u + lane of the sums.
struct SeenKeys {
  static constexpr int kMost = 4, kPass = kMost * cuda::kWarp;
  float largest = -cuda::infinity(), sum = 0.0f, results[kMost] = {};
};

/// The places of query number `row`, counted through all heads of all batches.
template <class Q, class K, class V, class O>
struct QueryOfHead {
  int64_t i, h, n;
  const Q *query;
  const K *keys;
  const V *values;
  O *result;

  SINTER_DEVICE QueryOfHead(int64_t row, const View<Q, 4> &q, const View<K, 4> &k, const View<V, 4> &v,
                            const View<O, 4> &out)
      : i(row % q.sizes[2]), h(row / q.sizes[2] % q.sizes[1]), n(row / q.sizes[2] / q.sizes[1]),
        query(q.data + n * q.strides[0] + h * q.strides[1] + i * q.strides[2]),
        keys(k.data + n * k.strides[0] + h * k.strides[1]), values(v.data + n * v.strides[0] + h * v.strides[1]),
        result(out.data + n * out.strides[0] + h * out.strides[1] + i * out.strides[2]) {}
};

/// In order, by loads of 16 bytes where rows are aligned to them. kUnroll: loads under way at a time.
template <int kUnroll, class Q, class K>
SINTER_DEVICE float dotOfRows(const Q *query, const K *key, int64_t size) {
  float dot = 0.0f;
  if constexpr (cuda::kSame<Q, K> && sizeof(K) <= 4) {
    constexpr int kRun = int(16 / sizeof(K));
    using Run = cuda::Pack<K, kRun>;
    if (size % kRun == 0 && (reinterpret_cast<uintptr_t>(query) | reinterpret_cast<uintptr_t>(key)) % 16 == 0) {
      SINTER_DEVICE_UNROLL_BY(kUnroll)
      for (int64_t e = 0; e < size; e += kRun) {
        const Run a = *reinterpret_cast<const Run *>(query + e), b = *reinterpret_cast<const Run *>(key + e);
        SINTER_DEVICE_UNROLL
        for (int u = 0; u < kRun; ++u)
          dot = fma(convert<float>(a.at[u]), convert<float>(b.at[u]), dot);
      }
      return dot;
    }
  }
  SINTER_DEVICE_UNROLL_BY(kUnroll)
  for (int64_t e = 0; e < size; ++e)
    dot = fma(convert<float>(query[e]), convert<float>(key[e]), dot);
  return dot;
}

/// Goes over the keys first, first + 1, ..., first + 31, then `step` further.
template <int kUnroll = 4, class Q, class K, class V, class O, class Mask>
SINTER_DEVICE void seeKeys(SeenKeys &seen, const QueryOfHead<Q, K, V, O> &at, float scale, const View<Q, 4> &q,
                           const View<K, 4> &k, const View<V, 4> &v, int64_t begin, int64_t first, int64_t step,
                           Mask mask) {
  const int64_t keys = k.sizes[2], depth = q.sizes[3], width = v.sizes[3], lane = cuda::laneIndex();
  const float none = -cuda::infinity();
  for (; first < keys; first += step) {
    const int64_t j = first + lane;
    float score = none;
    if (j < keys)
      score = mask(dotOfRows<kUnroll>(at.query, at.keys + j * k.strides[2], depth) * scale, at.n, at.h, at.i, j);
    const float next = max(seen.largest, cuda::combineWarp(score, Largest{}));
    // A row of which nothing is visible so far has no sum yet.
    const float share = j < keys && next != none ? expNegative(score - next) : 0.0f;
    const float kept = seen.largest == none ? 0.0f : expNegative(seen.largest - next);
    seen.largest = next;
    seen.sum = seen.sum * kept + cuda::combineWarp(share, Sum{});
    for (float &part : seen.results)
      part *= kept;
    const int there = keys - first < cuda::kWarp ? int(keys - first) : cuda::kWarp;
    SINTER_DEVICE_UNROLL_BY(kUnroll)
    for (int other = 0; other < there; ++other) {
      const float factor = cuda::bitCast<float>(cuda::shuffleFrom(cuda::bitCast<uint32_t>(share), other));
      const V *const values = at.values + (first + other) * v.strides[2];
      for (int u = 0; u < SeenKeys::kMost; ++u) {
        const int64_t d = begin + u * cuda::kWarp + lane;
        if (d < width)
          seen.results[u] = fma(factor, convert<float>(values[d]), seen.results[u]);
      }
    }
  }
}

/// An element of the result. Nothing visible: 0 / 0, or 0.
SINTER_DEVICE float shareOfSum(const AttentionHeadsParams &p, float result, float sum, float largest) {
  const bool isEmpty = p.zero_masked_rows && !(sum > 0.0f) && !(largest != largest);
  return isEmpty ? 0.0f : result / sum;
}

struct NothingAdded {
  SINTER_DEVICE float operator()(float x, int64_t, int64_t, int64_t, int64_t) const { return x; }
};
/// Dims of the mask that are 1 are everyone's.
template <class M>
struct MaskAdded {
  const M *data;
  int64_t batch, head, line;

  SINTER_DEVICE explicit MaskAdded(const View<M, 4> &mask)
      : data(mask.data), batch(mask.sizes[0] == 1 ? 0 : mask.strides[0]),
        head(mask.sizes[1] == 1 ? 0 : mask.strides[1]), line(mask.sizes[2] == 1 ? 0 : mask.strides[2]) {}
  SINTER_DEVICE float operator()(float x, int64_t n, int64_t h, int64_t i, int64_t j) const {
    return x + load<float>(data + n * batch + h * head + i * line + j);
  }
};

template <int kUnroll = 4, class Q, class K, class V, class O, class Mask>
SINTER_DEVICE void attentionQuery(int64_t row, const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                  const View<V, 4> &v, const View<O, 4> &out, Mask mask) {
  const QueryOfHead<Q, K, V, O> at(row, q, k, v, out);
  if (at.n >= q.sizes[0])
    return;
  const int64_t width = v.sizes[3];
  for (int64_t begin = 0; begin < width; begin += SeenKeys::kPass) {
    SeenKeys seen;
    seeKeys<kUnroll>(seen, at, float(p.scale), q, k, v, begin, 0, cuda::kWarp, mask);
    for (int u = 0; u < SeenKeys::kMost; ++u) {
      const int64_t d = begin + u * cuda::kWarp + cuda::laneIndex();
      if (d < width)
        at.result[d] = convert<O>(shareOfSum(p, seen.results[u], seen.sum, seen.largest));
    }
  }
}
template <class Q, class K, class V, class O>
SINTER_DEVICE void attentionHeadsRow(int64_t row, const AttentionHeadsParams &p, const View<Q, 4> &q,
                                     const View<K, 4> &k, const View<V, 4> &v, const View<O, 4> &out,
                                     const View<float, 1> &) {
  attentionQuery(row, p, q, k, v, out, NothingAdded{});
}
template <class Q, class K, class V, class M, class O>
SINTER_DEVICE void attentionHeadsRow(int64_t row, const AttentionHeadsParams &p, const View<Q, 4> &q,
                                     const View<K, 4> &k, const View<V, 4> &v, const View<M, 4> &mask,
                                     const View<O, 4> &out, const View<float, 1> &) {
  attentionQuery(row, p, q, k, v, out, MaskAdded<M>(mask));
}

} // namespace
} // namespace sinter
