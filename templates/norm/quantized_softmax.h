// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax from 8 bits to 8 bits in floats: exponentials of differences to the largest element, shared out over a number
// of steps, along the middle dim of [outer, n, inner]. There are 256 differences at most: where there are vectors and
// more elements than that, exponentials are looked up, several lines are summed side by side, since each sum waits for
// the one before, and results are made in vectors. Sums have the same order either way.
#pragma once

#include "templates/loops/gather.h"
#include "templates/loops/lanes.h"
#include "templates/math/math_exp.h"
#include "templates/norm/byte_softmax.h"
#include "templates/quantized/to_step.h"

namespace sinter {
namespace {

struct QuantizedSoftmaxParams {
  double x_scale;
  double steps; ///< of the result, to 1
  int64_t y_zero;
};

/// The largest of n > 0 elements.
template <class X>
SINTER_HOST_DEVICE int32_t largestOf(const X *in, int64_t step, int64_t n) {
  constexpr int lanes = kLanes<X>;
  X largest = in[0];
  int64_t j = 1;
  if (lanes > 1 && step == 1 && n >= lanes) {
    using V = Vec<X, lanes>;
    V most = load<V>(in + n - lanes);
    for (j = 0; j + lanes <= n; j += lanes)
      most = max(most, load<V>(in + j));
    return int32_t(maxOf(most));
  }
  for (; j < n; ++j)
    largest = in[j * step] > largest ? in[j * step] : largest;
  return int32_t(largest);
}

/// The lines that begin at `in`, each n > 0 elements apart by a step. shares[d]: the exponential of difference d.
template <int kLines, class X, class Y>
SINTER_HOST_DEVICE void softmaxLines(const float *shares, float steps, float zero, const X *const (&in)[kLines],
                                     int64_t inStep, Y *const (&out)[kLines], int64_t outStep, int64_t n) {
  int32_t largest[kLines];
  float totals[kLines];
  SINTER_UNROLL
  for (int line = 0; line < kLines; ++line) {
    largest[line] = largestOf(in[line], inStep, n);
    totals[line] = 0;
  }
  for (int64_t j = 0; j < n; ++j) {
    SINTER_UNROLL
    for (int line = 0; line < kLines; ++line)
      totals[line] += shares[largest[line] - int32_t(in[line][j * inStep])];
  }
  for (int line = 0; line < kLines; ++line) {
    const X *from = in[line];
    const int32_t most = largest[line];
    const float total = totals[line];
    forLanes<float>(0, n, [&](auto tag, int64_t j) SINTER_INLINE_LAMBDA {
      using V = typename decltype(tag)::Type;
      const V share = ofLanes<V>(
          [&](int64_t lane) SINTER_INLINE_LAMBDA { return shares[most - int32_t(from[(j + lane) * inStep])]; });
      const V whole = roundEven(share * splat<V>(steps) / splat<V>(total)) + splat<V>(zero);
      const Like<V, Y> step = toStep<Y>(whole);
      if (outStep == 1)
        store(out[line] + j, step);
      else
        storeStrided(out[line] + j * outStep, outStep, step);
    });
  }
}

template <class X, class Y>
SINTER_HOST_DEVICE void quantizedSoftmax(const QuantizedSoftmaxParams &p, const View<X, 3> &x, const View<Y, 3> &y) {
  const float scale = float(p.x_scale), steps = float(p.steps), zero = float(p.y_zero);
  const int64_t lines = x.sizes[0] * x.sizes[2], n = x.sizes[1];
  if constexpr (SINTER_VECTOR_BYTES > 1) {
    if (lines * n > 512) {
      float shares[256];
      forLanes<float>(0, 256, [&](auto tag, int64_t difference) {
        using V = typename decltype(tag)::Type;
        store(&shares[difference], expNegative(iota<V>(float(difference)) * splat<V>(-scale)));
      });
      // Lines from `first` on, a constant number of them.
      const auto some = [&](auto count, int64_t first) {
        const X *in[size_t(decltype(count)::value)];
        Y *out[size_t(decltype(count)::value)];
        for (int64_t line = 0; line < count; ++line) {
          const int64_t o = (first + line) / x.sizes[2], i = (first + line) % x.sizes[2];
          in[line] = x.data + o * x.strides[0] + i * x.strides[2];
          out[line] = y.data + o * y.strides[0] + i * y.strides[2];
        }
        softmaxLines(&shares[0], steps, zero, in, x.strides[1], out, y.strides[1], n);
      };
      const int64_t whole = lines - lines % 4;
      for (int64_t line = 0; line < whole; line += 4)
        some(Fixed<4>{}, line);
      for (int64_t line = whole; line < lines; ++line)
        some(Fixed<1>{}, line);
      return;
    }
  }
  byteSoftmax<float>(
      x, y, [&](int32_t difference) { return expNegative(float(-difference) * scale); },
      [&](float share, float total) { return toStep<Y>(roundEven(share * steps / total) + zero); });
}

} // namespace
} // namespace sinter
