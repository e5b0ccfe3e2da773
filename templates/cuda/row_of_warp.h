// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row a warp: softmax, normalisations, attention, for rows of any length, strides and types, from the same parameters
// as their templates for CPUs. `row`: the warp's number in the grid; all 32 lanes have the same. Arithmetic is float's,
// or double's for double. A lane has every 32nd element, of halves every 32nd run of eight, so that neighbours read
// side by side.
#pragma once

#include "templates/attention/attention_heads.h"
#include "templates/cuda/device_memory.h"
#include "templates/cuda/warp_reduce.h"
#include "templates/norm/layer_norm.h"
#include "templates/norm/softmax.h"

namespace sinter {
namespace {

/// Rows [outer, inner] of [outer, n, inner].
template <class T>
SINTER_DEVICE void softmaxRow(int64_t row, const SoftmaxParams &p, const View<const T, 3> &x, const View<T, 3> &y) {
  using E = FunctionType<T>;
  const int64_t outer = row / x.sizes[2], inner = row % x.sizes[2], n = x.sizes[1], first = cuda::laneIndex();
  if (outer >= x.sizes[0])
    return;
  const T *in = x.data + outer * x.strides[0] + inner * x.strides[2];
  T *out = y.data + outer * y.strides[0] + inner * y.strides[2];
  E largest = E(-__builtin_inff());
  for (int64_t j = first; j < n; j += cuda::kWarp)
    largest = max(largest, convert<E>(in[j * x.strides[1]]));
  largest = cuda::combineWarp(largest, Largest{});
  E sum{};
  for (int64_t j = first; j < n; j += cuda::kWarp)
    sum += expNegative(E(convert<E>(in[j * x.strides[1]]) - largest));
  sum = cuda::combineWarp(sum, Sum{});
  const E shift = p.logarithm ? log(sum) : E(0);
  for (int64_t j = first; j < n; j += cuda::kWarp) {
    const E v = convert<E>(in[j * x.strides[1]]) - largest;
    out[j * y.strides[1]] = convert<T>(p.logarithm ? v - shift : expNegative(v) / sum);
  }
}

/// Neighbours in a row that one lane has: as many halves as a load brings, else one element.
template <class T>
constexpr int kLaneRun = sizeof(T) == 2 ? 8 : 1;
/// Whether rows of n elements can be read and written by such runs.
template <class T, class Size>
SINTER_DEVICE bool hasWholeRuns(const T *row, Size stride, Size n) {
  return stride == 1 && n % kLaneRun<T> == 0 && reinterpret_cast<uintptr_t>(row) % (sizeof(T) * kLaneRun<T>) == 0;
}
/// A run of a row, from element `first` on; what is behind the row's end is left out.
template <class T, class Size>
SINTER_DEVICE cuda::Pack<T, kLaneRun<T>> loadRun(const T *row, Size stride, Size n, Size first, bool isWhole) {
  using Run = cuda::Pack<T, kLaneRun<T>>;
  if (isWhole)
    return *reinterpret_cast<const Run *>(row + first);
  Run run{};
  SINTER_DEVICE_UNROLL
  for (int u = 0; u < kLaneRun<T>; ++u)
    if (first + u < n)
      run.at[u] = row[(first + u) * stride];
  return run;
}
template <class T, class Size>
SINTER_DEVICE void storeRun(const cuda::Pack<T, kLaneRun<T>> &run, T *row, Size stride, Size n, Size first,
                            bool isWhole) {
  if (isWhole) {
    *reinterpret_cast<cuda::Pack<T, kLaneRun<T>> *>(row + first) = run;
    return;
  }
  SINTER_DEVICE_UNROLL
  for (int u = 0; u < kLaneRun<T>; ++u)
    if (first + u < n)
      row[(first + u) * stride] = run.at[u];
}

/// `finish(v, j)` is what happens to element j of a normalised row.
template <class T, class Finish>
SINTER_DEVICE void normRow(int64_t row, const LayerNormParams &p, const View<const T, 2> &x, const View<T, 2> &y,
                           Finish finish) {
  using E = StatisticsType<T>;
  constexpr int kRun = kLaneRun<T>;
  if (row >= x.sizes[0])
    return;
  const int64_t n = x.sizes[1], ownFirst = cuda::laneIndex() * kRun, step = cuda::kWarp * kRun;
  const T *const from = x.data + row * x.strides[0];
  T *const to = y.data + row * y.strides[0];
  const bool isWhole = hasWholeRuns(from, x.strides[1], n);
  E mean{}, squares{};
  if (p.centered) {
    for (int64_t first = ownFirst; first < n; first += step) {
      const auto run = loadRun(from, x.strides[1], n, first, isWhole);
      for (int u = 0; u < kRun && first + u < n; ++u)
        mean += convert<E>(run.at[u]);
    }
    mean = cuda::combineWarp(mean, Sum{}) / E(n);
  }
  for (int64_t first = ownFirst; first < n; first += step) {
    const auto run = loadRun(from, x.strides[1], n, first, isWhole);
    for (int u = 0; u < kRun && first + u < n; ++u)
      squares += (convert<E>(run.at[u]) - mean) * (convert<E>(run.at[u]) - mean);
  }
  const E scale = rsqrt(cuda::combineWarp(squares, Sum{}) / E(n) + E(p.epsilon));
  const bool storesWhole = hasWholeRuns(to, y.strides[1], n);
  for (int64_t first = ownFirst; first < n; first += step) {
    auto run = loadRun(from, x.strides[1], n, first, isWhole);
    for (int u = 0; u < kRun && first + u < n; ++u)
      run.at[u] = convert<T>(finish(E((convert<E>(run.at[u]) - mean) * scale), first + u));
    storeRun(run, to, y.strides[1], n, first, storesWhole);
  }
}
template <class T, class S>
SINTER_DEVICE void layerNormRow(int64_t row, const LayerNormParams &p, const View<const T, 2> &x,
                                const View<const S, 1> &scale, const View<T, 2> &y) {
  normRow(row, p, x, y, [&](auto v, int64_t j) { return decltype(v)(v * lanesAt<decltype(v)>(scale, j)); });
}
template <class T, class S>
SINTER_DEVICE void layerNormRow(int64_t row, const LayerNormParams &p, const View<const T, 2> &x,
                                const View<const S, 1> &scale, const View<const S, 1> &bias, const View<T, 2> &y) {
  normRow(row, p, x, y, [&](auto v, int64_t j) {
    using V = decltype(v);
    return V(fma(v, lanesAt<V>(scale, j), lanesAt<V>(bias, j)));
  });
}

/// One query of a head. Keys come 32 at a time: each lane has the score of one, the greatest score so far and the sum
/// go along, and each lane has every 32nd element of the result, kMost of them at most a pass over the keys.
template <class Q, class K, class V, class O, class Mask>
SINTER_DEVICE void attentionQuery(int64_t row, const AttentionHeadsParams &p, const View<Q, 4> &q, const View<K, 4> &k,
                                  const View<V, 4> &v, const View<O, 4> &out, Mask mask) {
  constexpr int kMost = 4;
  const int64_t i = row % q.sizes[2], head = row / q.sizes[2], h = head % q.sizes[1], n = head / q.sizes[1];
  if (n >= q.sizes[0])
    return;
  const int64_t keys = k.sizes[2], depth = q.sizes[3], width = v.sizes[3], lane = cuda::laneIndex();
  const float none = -__builtin_inff(), scale = float(p.scale);
  const Q *const query = q.data + n * q.strides[0] + h * q.strides[1] + i * q.strides[2];
  const K *const keysOfHead = k.data + n * k.strides[0] + h * k.strides[1];
  const V *const valuesOfHead = v.data + n * v.strides[0] + h * v.strides[1];
  O *const result = out.data + n * out.strides[0] + h * out.strides[1] + i * out.strides[2];
  for (int64_t begin = 0; begin < width; begin += kMost * cuda::kWarp) {
    float largest = none, sum = 0.0f, results[kMost] = {};
    for (int64_t first = 0; first < keys; first += cuda::kWarp) {
      const int64_t j = first + lane;
      float score = none;
      if (j < keys) {
        float dot = 0.0f;
        for (int64_t e = 0; e < depth; ++e)
          dot = fma(convert<float>(query[e]), convert<float>(keysOfHead[j * k.strides[2] + e]), dot);
        score = mask(dot * scale, n, h, i, j);
      }
      const float next = max(largest, cuda::combineWarp(score, Largest{}));
      // A row of which nothing is visible so far has no sum yet.
      const float share = j < keys && next != none ? expNegative(score - next) : 0.0f;
      const float kept = largest == none ? 0.0f : expNegative(largest - next);
      largest = next;
      sum = sum * kept + cuda::combineWarp(share, Sum{});
      for (float &part : results)
        part *= kept;
      for (int other = 0; other < cuda::kWarp && first + other < keys; ++other) {
        const float factor = cuda::bitCast<float>(cuda::shuffleFrom(cuda::bitCast<uint32_t>(share), other));
        const V *const values = valuesOfHead + (first + other) * v.strides[2];
        for (int u = 0; u < kMost; ++u) {
          const int64_t d = begin + u * cuda::kWarp + lane;
          if (d < width)
            results[u] = fma(factor, convert<float>(values[d]), results[u]);
        }
      }
    }
    // Nothing visible: 0 / 0.
    const bool isEmpty = p.zero_masked_rows && !(sum > 0.0f) && !(largest != largest);
    for (int u = 0; u < kMost; ++u) {
      const int64_t d = begin + u * cuda::kWarp + lane;
      if (d < width)
        result[d] = convert<O>(isEmpty ? 0.0f : results[u] / sum);
    }
  }
}
template <class Q, class K, class V, class O>
SINTER_DEVICE void attentionHeadsRow(int64_t row, const AttentionHeadsParams &p, const View<Q, 4> &q,
                                     const View<K, 4> &k, const View<V, 4> &v, const View<O, 4> &out,
                                     const View<float, 1> &) {
  attentionQuery(row, p, q, k, v, out, [](float x, int64_t, int64_t, int64_t, int64_t) { return x; });
}
template <class Q, class K, class V, class M, class O>
SINTER_DEVICE void attentionHeadsRow(int64_t row, const AttentionHeadsParams &p, const View<Q, 4> &q,
                                     const View<K, 4> &k, const View<V, 4> &v, const View<M, 4> &mask,
                                     const View<O, 4> &out, const View<float, 1> &) {
  const auto step = [&](int d) { return mask.sizes[d] == 1 ? int64_t(0) : mask.strides[d]; };
  const int64_t batch = step(0), head = step(1), line = step(2);
  attentionQuery(row, p, q, k, v, out, [&](float x, int64_t n, int64_t h, int64_t i, int64_t j) {
    return x + load<float>(mask.data + n * batch + h * head + i * line + j);
  });
}

} // namespace
} // namespace sinter
