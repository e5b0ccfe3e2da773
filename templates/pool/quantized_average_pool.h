// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AveragePool from 8 bits to 8 bits, as onnxruntime's QLinearAveragePool rounds it: sums of dequantized elements in
// float, the zero point added (of unsigned bytes: signed ones are taken 128 higher) before the result is rounded. Or
// with integer sums and one factor, as its QLinearGlobalAveragePool does. quantized_average_pool_blocked.h: the same on
// channel blocks.
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/pool/pool_window.h"
#include "templates/quantized/to_step.h"

namespace sinter {
namespace {

struct QuantizedAveragePoolParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< per spatial dim; pads: low ones, then high ones
  bool count_include_pad;                             ///< pads count as zeros
  bool integer_sums;                                  ///< the factor is multiplied once, the zero point added last
  double x_scale, y_scale;
  int64_t x_zero, y_zero;
};

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
  template <class T>
  SINTER_HOST_DEVICE T finish(float sum, int64_t count) const {
    constexpr int32_t lift = T(-1) < T(0) ? 128 : 0;
    const float mean = count ? sum / float(count) : 0.0f;
    return toStep<T>(mean / step + float(int32_t(p.y_zero) + lift), lift);
  }
  template <class T>
  SINTER_HOST_DEVICE T finish(int32_t sum, int64_t count) const {
    const float mean = count ? float(sum) * (scale / (step * float(count))) : 0.0f;
    return toStep<T>(roundEven(mean) + float(p.y_zero));
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
    for (int64_t oy = 0; oy < a[1].out; ++oy)
      for (int64_t ox = 0; ox < a[2].out; ++ox) {
        const int64_t count = p.count_include_pad ? a[0].insidePads(oz) * a[1].insidePads(oy) * a[2].insidePads(ox)
                                                  : a[0].inside(oz) * a[1].inside(oy) * a[2].inside(ox);
        Y *result = to + oz * a[0].outStride + oy * a[1].outStride + ox * a[2].outStride;
        int64_t first = 0;
        // As many channels as fit, `atOnce` of them.
        const auto run = [&](auto tag, auto vectors) {
          using V = typename decltype(tag)::Type;
          constexpr int kCount = int(vectors.value), atOnce = kCount * kLanesOf<V>;
          for (; first + atOnce <= channels; first += atOnce) {
            V sums[kCount];
            averageSums(average, a, oz, oy, ox, from + first, sums);
            Sum each[atOnce];
            SINTER_COPY(&each, &sums, sizeof(sums));
            for (int i = 0; i < atOnce; ++i)
              result[first + i] = average.template finish<Y>(each[i], count);
          }
        };
        constexpr int lanes = kLanesOrFour<Sum>;
        run(Tag<Vec<Sum, lanes>>{}, Fixed<4>{});
        if (lanes > 1)
          run(Tag<Vec<Sum, lanes>>{}, Fixed<1>{});
        run(Tag<Sum>{}, Fixed<1>{});
      }
}

template <class X, class Y, int R>
SINTER_FUNCTION void quantizedAveragePool(const QuantizedAveragePoolParams &p, const View<X, R> &x,
                                          const View<Y, R> &y) {
  PoolAxis a[3];
  poolAxes<true>(p, p.pads, x, y, a);
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t c = 0; c < y.sizes[1]; ++c) {
      const X *from = x.data + n * x.strides[0] + c * x.strides[1];
      Y *to = y.data + n * y.strides[0] + c * y.strides[1];
      if (p.integer_sums)
        quantizedAverages<int32_t>(p, a, from, to, 1);
      else
        quantizedAverages<float>(p, a, from, to, 1);
    }
}

} // namespace
} // namespace sinter
