// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What quantized averages are made of, in floats or integers: what an element adds to a sum, what a sum makes of an
// output, and windows over neighbouring channels. quantized_average_pool.h has the definition.
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/pool/pool_window.h"
#include "templates/quantized/to_step.h"

namespace sinter {
namespace {

template <class P>
struct QuantizedAverage {
  const P &p;
  const float scale, step;
  const int32_t zero;
  SINTER_HOST_DEVICE explicit QuantizedAverage(const P &params)
      : p(params), scale(float(params.x_scale)), step(float(params.y_scale)), zero(int32_t(params.x_zero)) {}

  /// What elements add to sums of V.
  template <class V>
  SINTER_INLINE_MEMBER V term(Like<V, int32_t> x) const {
    const auto centred = sub(x, splat<Like<V, int32_t>>(zero));
    if constexpr (kIsFloat<V>)
      return splat<V>(scale) * rawConvert<V>(centred);
    else
      return centred;
  }
  /// Sums of `count` elements as elements of T.
  template <class T, class V>
  SINTER_INLINE_MEMBER Like<V, T> finish(V sum, int64_t count) const {
    using F = Like<V, float>;
    if constexpr (kIsFloat<V>) {
      constexpr int32_t lift = T(-1) < T(0) ? 128 : 0;
      const F mean = count ? sum / splat<F>(float(count)) : F{};
      return toStep<T>(mean / splat<F>(step) + splat<F>(float(int32_t(p.y_zero) + lift)), lift);
    } else {
      const F mean = count ? rawConvert<F>(sum) * splat<F>(scale / (step * float(count))) : F{};
      return toStep<T>(roundEven(mean) + splat<F>(float(p.y_zero)));
    }
  }
  /// How many elements the windows of a row of outputs have, but for their columns.
  SINTER_HOST_DEVICE int64_t rowsOfWindow(const PoolAxis (&a)[3], int64_t oz, int64_t oy) const {
    return p.count_include_pad ? a[0].insidePads(oz) * a[1].insidePads(oy) : a[0].inside(oz) * a[1].inside(oy);
  }
  SINTER_HOST_DEVICE int64_t columnsOfWindow(const PoolAxis (&a)[3], int64_t ox) const {
    return p.count_include_pad ? a[2].insidePads(ox) : a[2].inside(ox);
  }
};

/// kCount vectors of neighbouring channels from `from` on: the sums of one window.
template <class V, int kCount, class P, class X>
SINTER_INLINE void averageSums(const QuantizedAverage<P> &average, const PoolAxis (&a)[3], int64_t oz, int64_t oy,
                               int64_t ox, const X *from, V (&sums)[kCount]) {
  SINTER_UNROLL
  for (int i = 0; i < kCount; ++i)
    sums[i] = V{};
  forEachTapInside(a, oz, oy, ox, [&](int64_t offset) SINTER_INLINE_LAMBDA {
    SINTER_UNROLL
    for (int i = 0; i < kCount; ++i)
      sums[i] = add(sums[i], average.template term<V>(load<Like<V, int32_t>>(from + offset + i * kLanesOf<V>)));
  });
}

/// `channels` neighbouring channels of one image. Sum: float or int32_t.
template <class Sum, class P, class X, class Y>
SINTER_HOST_DEVICE void quantizedAverages(const P &p, const PoolAxis (&a)[3], const X *from, Y *to, int64_t channels) {
  const QuantizedAverage<P> average(p);
  for (int64_t oz = 0; oz < a[0].out; ++oz)
    for (int64_t oy = 0; oy < a[1].out; ++oy) {
      const int64_t rows = average.rowsOfWindow(a, oz, oy);
      for (int64_t ox = 0; ox < a[2].out; ++ox) {
        const int64_t count = rows * average.columnsOfWindow(a, ox);
        Y *result = to + oz * a[0].outStride + oy * a[1].outStride + ox * a[2].outStride;
        int64_t first = 0;
        // As many channels as fit, `atOnce` of them.
        const auto run = [&](auto tag, auto vectors) {
          using V = typename decltype(tag)::Type;
          constexpr int kCount = int(vectors.value), atOnce = kCount * kLanesOf<V>;
          for (; first + atOnce <= channels; first += atOnce) {
            V sums[kCount];
            averageSums(average, a, oz, oy, ox, from + first, sums);
            SINTER_UNROLL
            for (int i = 0; i < kCount; ++i)
              store(result + first + i * kLanesOf<V>, average.template finish<Y>(sums[i], count));
          }
        };
        constexpr int lanes = kLanesOrFour<Sum>;
        run(Tag<Vec<Sum, lanes>>{}, Fixed<4>{});
        if (lanes > 1)
          run(Tag<Vec<Sum, lanes>>{}, Fixed<1>{});
        if constexpr (lanes > 8)
          run(Tag<Vec<Sum, 8>>{}, Fixed<1>{});
        if constexpr (lanes > 4)
          run(Tag<Vec<Sum, 4>>{}, Fixed<1>{});
        run(Tag<Sum>{}, Fixed<1>{});
      }
    }
}

} // namespace
} // namespace sinter
