// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products for what no tile takes: a thread computes one output element, its sum in the order of k or of the taps, as
// templates/direct has it on CPUs. Any types, strides, layouts and numbers of dims. Grid: as many threads as elements.
#pragma once

#include "templates/cuda/device.h"
#include "templates/direct/conv_direct.h"

namespace sinter {
namespace {

/// C(i, j) = epilogue(sum over p of A(i, p) B(p, j)) for element i n + j; `a(i, p)` and `b(p, j)` give elements.
template <class S, class A, class B, class TC, class Epilogue>
SINTER_DEVICE void matmulElement(int64_t element, A a, B b, TC *c, int64_t rowStride, int64_t columnStride, int64_t m,
                                 int64_t n, int64_t k, Epilogue epilogue) {
  if (element >= m * n)
    return;
  const int64_t i = element / n, j = element % n;
  S sum{};
  for (int64_t p = 0; p < k; ++p)
    sum = multiplyAdd(convert<S>(a(i, p)), convert<S>(b(p, j)), sum);
  store(c + i * rowStride + j * columnStride, epilogue(sum, i, j));
}

/// How far apart in memory a filter's neighbours are, channels' and taps'; and what it meets outside of the input.
struct FilterSteps {
  int64_t filter, channel, tap, outside = 0;
};

/// The element of that number among batch x filters x positions; `epilogue(v, n, filter, positions...)`.
template <class S, int D, class TA, class TB, class TC, class Epilogue>
SINTER_DEVICE void convElement(int64_t element, const ConvDirectShape<D> &s, const FilterSteps &steps, const TA *in,
                               const TB *weights, TC *out, Epilogue epilogue) {
  int64_t position[D], at = 0, taps = 1, rest = element;
  for (int d = D; d-- > 0; rest /= s.axes[d].out) {
    position[d] = rest % s.axes[d].out;
    at += position[d] * s.axes[d].outStep;
    taps *= s.axes[d].kernel;
  }
  const int64_t k = rest % s.filters, n = rest / s.filters;
  if (n >= s.batch)
    return;
  at += n * s.out.batch + channelOffset(s.out, k);
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  S sum{};
  for (int64_t c = 0; c < channels; ++c) {
    const TA *const plane = in + n * s.in.batch + channelOffset(s.in, k / filters * channels + c);
    const TB *const w = weights + k * steps.filter + c * steps.channel;
    for (int64_t tap = 0; tap < taps; ++tap) {
      int64_t from = 0, left = tap;
      bool isInside = true;
      for (int d = D; d-- > 0; left /= s.axes[d].kernel) {
        const ConvAxis &axis = s.axes[d];
        const int64_t x = position[d] * axis.stride - axis.pad + left % axis.kernel * axis.dilation;
        isInside = isInside && x >= 0 && x < axis.in;
        from += x * axis.inStep;
      }
      if (isInside)
        sum = multiplyAdd(lessZero<S>(plane[from], s.inputZero), lessZero<S>(w[tap * steps.tap], s.filterZero), sum);
      else if (steps.outside != 0)
        sum = multiplyAdd(S(steps.outside), lessZero<S>(w[tap * steps.tap], s.filterZero), sum);
    }
  }
  if constexpr (D == 1)
    store(out + at, epilogue(sum, n, k, position[0]));
  else if constexpr (D == 2)
    store(out + at, epilogue(sum, n, k, position[0], position[1]));
  else
    store(out + at, epilogue(sum, n, k, position[0], position[1], position[2]));
}

} // namespace
} // namespace sinter
