// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisation of rows: LayerNorm and RMSNorm over a contiguous axis, InstanceNorm and GroupNorm as rows of channels,
// and over an axis with others inside of it (NHWC's InstanceNorm). Two passes for the statistics, so that a large mean
// costs no accuracy. Scale and bias are the epilogue's.
#pragma once

#include "templates/loops/map.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

template <class T>
using StatisticsType = typename IfType<kSame<T, double>, double, float>::Type;

/// The sum of term(x) over a row, in four independent sums of lanes.
template <class E, class T, class Term>
SINTER_INLINE E rowSum(const T *in, int64_t n, Term term) {
  using V = Vec<E, kLanes<E>>;
  V sums[4] = {};
  int64_t j = 0;
  for (; j + 4 * kLanes<E> <= n; j += 4 * kLanes<E>) {
    SINTER_UNROLL
    for (int q = 0; q < 4; ++q)
      sums[q] += term(load<V>(in + j + q * kLanes<E>));
  }
  for (; j + kLanes<E> <= n; j += kLanes<E>)
    sums[0] += term(load<V>(in + j));
  E total = sum(V((sums[0] + sums[1]) + (sums[2] + sums[3])));
  for (int64_t last = n - n % kLanes<E>; last < n; ++last) // not from j on: GCC would warn where n is known
    total += term(load<E>(in + last));
  return total;
}

/// What is subtracted from a row and what it is multiplied with.
template <class E>
struct RowStatistics {
  E mean, scale;
};
template <bool kCentered, class E, class T>
SINTER_INLINE RowStatistics<E> rowStatistics(const T *in, int64_t n, E epsilon) {
  const E count = E(n);
  if constexpr (kCentered) {
    const E mean = rowSum<E>(in, n, [](auto x) { return x; }) / count;
    const E variance = rowSum<E>(in, n, [&](auto x) { return (x - mean) * (x - mean); }) / count;
    return {mean, rsqrt(variance + epsilon)};
  } else {
    return {E(0), rsqrt(rowSum<E>(in, n, [](auto x) { return x * x; }) / count + epsilon)};
  }
}

/// (x - mean) / sqrt(variance + epsilon) of each row; with kCentered false RMSNorm, x / sqrt(mean of squares +
/// epsilon). A row is `outer` runs of `inner` elements, all adjacent: one run for LayerNorm, one channel's pixels each
/// for GroupNorm. `epilogue(v, row, o, j)`. `means` and `scales`: one per row, or null. In place is fine. No scratch,
/// no alignment.
template <bool kCentered, class TA, class TC, class E, class Epilogue>
SINTER_HOST_DEVICE void normRows(const TA *in, int64_t inStride, TC *out, int64_t outStride, int64_t rows,
                                 int64_t outer, int64_t inner, E epsilon, E *means, E *scales, Epilogue epilogue) {
  for (int64_t i = 0; i < rows; ++i) {
    const TA *a = in + i * inStride;
    TC *c = out + i * outStride;
    const RowStatistics<E> s = rowStatistics<kCentered>(a, outer * inner, epsilon);
    if (means)
      means[i] = s.mean;
    if (scales)
      scales[i] = s.scale;
    for (int64_t o = 0; o < outer; ++o)
      map<E>(inner, [&](auto tag, int64_t j) {
        using V = typename decltype(tag)::Type;
        const int64_t at = o * inner + j;
        V x = load<V>(a + at);
        if constexpr (kCentered)
          x = x - s.mean;
        store(c + at, epilogue(V(x * s.scale), i, o, j));
      });
  }
}

/// The same along j of elements (o, j, i) at o * n * inner + j * inner + i, each (o, i) for itself. `epilogue(v, o, j,
/// i)`.
template <bool kCentered, class TA, class TC, class E, class Epilogue>
SINTER_HOST_DEVICE void normColumns(const TA *in, TC *out, int64_t outer, int64_t n, int64_t inner, E epsilon,
                                    Epilogue epilogue) {
  for (int64_t o = 0; o < outer; ++o) {
    const TA *a = in + o * n * inner;
    TC *c = out + o * n * inner;
    map<E>(inner, [&](auto tag, int64_t i) {
      using V = typename decltype(tag)::Type;
      V mean{};
      if constexpr (kCentered) {
        for (int64_t j = 0; j < n; ++j)
          mean += load<V>(a + j * inner + i);
        mean = mean / E(n);
      }
      V squares{};
      for (int64_t j = 0; j < n; ++j) {
        const V d = load<V>(a + j * inner + i) - mean;
        squares = fma(d, d, squares);
      }
      const V scale = rsqrt(V(squares / E(n) + epsilon));
      for (int64_t j = 0; j < n; ++j)
        store(c + j * inner + i, epilogue(V((load<V>(a + j * inner + i) - mean) * scale), o, j, i));
    });
  }
}

} // namespace
} // namespace sinter
