// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row a warp: softmax, normalisations (and attention: attention_rows.h), for rows of any length, strides and types,
// from the same parameters as their templates for CPUs. `row`: the warp's number in the grid; all 32 lanes have the
// same. Arithmetic is float's, or double's for double. A lane has every 32nd element, of halves every 32nd run of
// eight, so that neighbours read side by side.
#pragma once

#include "templates/cuda/attention_rows.h"
#include "templates/cuda/lane_runs.h"
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

/// Rows of any length, a run at a time: read for each pass.
template <class T, class Finish>
SINTER_DEVICE void normLongRow(const LayerNormParams &p, const T *from, int64_t stride, T *to, int64_t strideTo,
                               int64_t n, const Finish &finish) {
  using E = StatisticsType<T>;
  constexpr int kRun = cuda::kLaneRun<T>;
  constexpr int64_t step = cuda::kWarp * kRun;
  const int64_t own = cuda::laneIndex() * kRun;
  const E share = E(1) / E(n);
  const bool isWhole = cuda::hasWholeRuns(from, stride, n);
  const auto each = [&](const auto &use) {
    for (int64_t first = own; first < n; first += step) {
      cuda::Pack<T, kRun> run{};
      if (isWhole)
        run = *reinterpret_cast<const cuda::Pack<T, kRun> *>(from + first);
      else
        for (int u = 0; u < kRun && first + u < n; ++u)
          run.at[u] = from[(first + u) * stride];
      for (int u = 0; u < kRun && first + u < n; ++u)
        use(convert<E>(run.at[u]), first + u);
    }
  };
  E mean{}, squares{};
  if (p.centered) {
    each([&](E x, int64_t) { mean += x; });
    mean = cuda::combineWarp(mean, Sum{}) * share;
  }
  each([&](E x, int64_t) { squares = fma(E(x - mean), E(x - mean), squares); });
  const E scale = cuda::normScale(E(cuda::combineWarp(squares, Sum{}) * share + E(p.epsilon)));
  each([&](E x, int64_t j) { to[j * strideTo] = convert<T>(finish(E((x - mean) * scale), j)); });
}

/// A row of up to 1024 elements is read once.
template <class T, class Finish>
SINTER_DEVICE void normRow(int64_t row, const LayerNormParams &p, const View<const T, 2> &x, const View<T, 2> &y,
                           const Finish &finish) {
  constexpr int kRun = cuda::kLaneRun<T>, kHeld = 32 / kRun;
  constexpr int64_t step = cuda::kWarp * kRun;
  if (row >= x.sizes[0])
    return;
  const int64_t n = x.sizes[1];
  const T *const from[] = {x.data + row * x.strides[0]};
  T *const to = y.data + row * y.strides[0];
  if (n > kHeld * step) {
    normLongRow(p, from[0], x.strides[1], to, y.strides[1], n, finish);
    return;
  }
  cuda::LaneRuns<T, 1, kHeld> held;
  held.load(from, x.strides[1], n, cuda::hasWholeRuns(from[0], x.strides[1], n));
  const auto factors = finish.template held<T, kHeld>(n);
  held.normalise(n, p.centered, StatisticsType<T>(p.epsilon));
  held.finish(factors);
  const int64_t own = cuda::laneIndex() * kRun;
  const bool isWhole = cuda::hasWholeRuns(to, y.strides[1], n);
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < kHeld; ++i)
    if (cuda::isInRow<T>(n, i, 0))
      cuda::storeRun(held.run(i, 0), to, y.strides[1], n, own + i * step, isWhole);
}
template <class T, class S>
SINTER_DEVICE void layerNormRow(int64_t row, const LayerNormParams &p, const View<const T, 2> &x,
                                const View<const S, 1> &scale, const View<T, 2> &y) {
  normRow(row, p, x, y, cuda::NormScale<S>{scale.data, scale.strides[0]});
}
template <class T, class S>
SINTER_DEVICE void layerNormRow(int64_t row, const LayerNormParams &p, const View<const T, 2> &x,
                                const View<const S, 1> &scale, const View<const S, 1> &bias, const View<T, 2> &y) {
  normRow(row, p, x, y, cuda::NormScaleShift<S>{scale.data, bias.data, scale.strides[0], bias.strides[0]});
}

} // namespace
} // namespace sinter
