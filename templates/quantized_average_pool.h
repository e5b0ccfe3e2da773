// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AveragePool from 8 bits to 8 bits, as onnxruntime's QLinearAveragePool rounds it: sums of dequantized elements in
// float, the zero point added (of unsigned bytes: signed ones are taken 128 higher) before the result is rounded. Or
// with integer sums and one factor, as its QLinearGlobalAveragePool does. quantized_average_pool_blocked.h: the same on
// channel blocks.
#pragma once

#include "templates/pool_window.h"
#include "templates/to_step.h"

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
  explicit QuantizedAverage(const P &params)
      : p(params), scale(float(params.x_scale)), step(float(params.y_scale)), zero(int32_t(params.x_zero)) {}

  float term(int32_t x, float) const { return scale * float(x - zero); }
  int32_t term(int32_t x, int32_t) const { return x - zero; }
  template <class T>
  T finish(float sum, int64_t count) const {
    constexpr int32_t lift = T(-1) < T(0) ? 128 : 0;
    const float mean = count ? sum / float(count) : 0.0f;
    return toStep<T>(mean / step + float(int32_t(p.y_zero) + lift), lift);
  }
  template <class T>
  T finish(int32_t sum, int64_t count) const {
    const float mean = count ? float(sum) * (scale / (step * float(count))) : 0.0f;
    return toStep<T>(roundEven(mean) + float(p.y_zero));
  }
};

/// `channels` neighbouring channels of one image. Sum: float or int32_t.
template <class Sum, class P, class X, class Y>
void quantizedAverages(const P &p, const PoolAxis (&a)[3], const X *from, Y *to, int64_t channels) {
  constexpr int64_t atOnce = 16;
  const QuantizedAverage<P> average(p);
  for (int64_t oz = 0; oz < a[0].out; ++oz)
    for (int64_t oy = 0; oy < a[1].out; ++oy)
      for (int64_t ox = 0; ox < a[2].out; ++ox) {
        const int64_t count = p.count_include_pad ? a[0].insidePads(oz) * a[1].insidePads(oy) * a[2].insidePads(ox)
                                                  : a[0].inside(oz) * a[1].inside(oy) * a[2].inside(ox);
        Y *result = to + oz * a[0].outStride + oy * a[1].outStride + ox * a[2].outStride;
        for (int64_t first = 0; first < channels; first += atOnce) {
          const int64_t some = channels - first < atOnce ? channels - first : atOnce;
          Sum sums[atOnce] = {};
          forEachTapRow(a, oz, oy, [&](int64_t iz, int64_t iy, int64_t kx) {
            const int64_t ix = a[2].place(ox, kx);
            if (ix < 0 || ix >= a[2].in)
              return;
            const X *pixel = from + iz * a[0].inStride + iy * a[1].inStride + ix * a[2].inStride + first;
            for (int64_t i = 0; i < some; ++i)
              sums[i] += average.term(int32_t(pixel[i]), Sum());
          });
          for (int64_t i = 0; i < some; ++i)
            result[first + i] = average.template finish<Y>(sums[i], count);
        }
      }
}

template <class X, class Y, int R>
static inline void quantizedAveragePool(const QuantizedAveragePoolParams &p, const View<X, R> &x, const View<Y, R> &y) {
  PoolAxis a[3];
  poolAxes<true>(p, x, y, a);
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
