// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row a warp: softmax, normalisations (and attention: attention_rows.h), for rows of any length, strides and types,
// from the same parameters as their templates for CPUs. `row`: the warp's number in the grid; all 32 lanes have the
// same. Arithmetic is float's, or double's for double. A lane has every 32nd element, of halves every 32nd run of
// eight, so that neighbours read side by side.
#pragma once

#include "templates/cuda/attention_rows.h"
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

/// A lane has so many runs of a row in registers, where those are all of them.
template <class T>
constexpr int kHeldRuns = 32 / kLaneRun<T>;

/// `each(f)` calls f(run, its first element) for all of the lane's runs of a row of n elements.
template <class T, class Each, class Store>
SINTER_DEVICE void normRuns(const LayerNormParams &p, int64_t n, const Each &each, const Store &store) {
  using E = StatisticsType<T>;
  using Run = cuda::Pack<T, kLaneRun<T>>;
  E mean{}, squares{};
  if (p.centered) {
    each([&](const Run &run, int64_t first) {
      for (int u = 0; u < kLaneRun<T> && first + u < n; ++u)
        mean += convert<E>(run.at[u]);
    });
    mean = cuda::combineWarp(mean, Sum{}) / E(n);
  }
  each([&](const Run &run, int64_t first) {
    for (int u = 0; u < kLaneRun<T> && first + u < n; ++u)
      squares += (convert<E>(run.at[u]) - mean) * (convert<E>(run.at[u]) - mean);
  });
  const E scale = rsqrt(cuda::combineWarp(squares, Sum{}) / E(n) + E(p.epsilon));
  each([&](Run run, int64_t first) {
    for (int u = 0; u < kLaneRun<T> && first + u < n; ++u)
      run.at[u] = store.finished(E((convert<E>(run.at[u]) - mean) * scale), first + u);
    store(run, first);
  });
}

/// Where a normalised row goes. `finish(v, j)` is what happens to its element j.
template <class T, class Finish>
struct NormedRow {
  T *data;
  int64_t stride, n;
  bool isWhole;
  const Finish &finish;

  template <class E>
  SINTER_DEVICE T finished(E v, int64_t j) const {
    return convert<T>(finish(v, j));
  }
  SINTER_DEVICE void operator()(const cuda::Pack<T, kLaneRun<T>> &run, int64_t first) const {
    storeRun(run, data, stride, n, first, isWhole);
  }
};

/// A row of up to 1024 elements is read once; a longer one for each pass.
template <class T, class Finish>
SINTER_DEVICE void normRow(int64_t row, const LayerNormParams &p, const View<const T, 2> &x, const View<T, 2> &y,
                           const Finish &finish) {
  constexpr int kHeld = kHeldRuns<T>;
  constexpr int64_t step = cuda::kWarp * kLaneRun<T>;
  if (row >= x.sizes[0])
    return;
  const int64_t n = x.sizes[1], ownFirst = cuda::laneIndex() * kLaneRun<T>;
  const T *const from = x.data + row * x.strides[0];
  T *const to = y.data + row * y.strides[0];
  const bool isWhole = hasWholeRuns(from, x.strides[1], n);
  const auto load = [&](int64_t first) { return loadRun(from, x.strides[1], n, first, isWhole); };
  const NormedRow<T, Finish> result{to, y.strides[1], n, hasWholeRuns(to, y.strides[1], n), finish};
  if (n > kHeld * step) {
    const auto each = [&](const auto &use) {
      for (int64_t first = ownFirst; first < n; first += step)
        use(load(first), first);
    };
    normRuns<T>(p, n, each, result);
    return;
  }
  cuda::Pack<T, kLaneRun<T>> held[kHeld];
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < kHeld; ++i)
    if (ownFirst + i * step < n)
      held[i] = load(ownFirst + i * step);
  const auto each = [&](const auto &use) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kHeld; ++i)
      if (ownFirst + i * step < n)
        use(held[i], ownFirst + i * step);
  };
  normRuns<T>(p, n, each, result);
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

} // namespace
} // namespace sinter
