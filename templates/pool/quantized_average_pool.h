// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AveragePool from 8 bits to 8 bits, as onnxruntime's QLinearAveragePool rounds it: sums of dequantized elements in
// float, the zero point added (of unsigned bytes: signed ones are taken 128 higher) before the result is rounded. Or
// with integer sums and one factor, as its QLinearGlobalAveragePool does. quantized_average_pool_blocked.h: the same on
// channel blocks; quantized_average_planar.h: what vectors make of planes.
#pragma once

#include "templates/pool/quantized_average_planar.h"

namespace sinter {
namespace {

struct QuantizedAveragePoolParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< per spatial dim; pads: low ones, then high ones
  bool count_include_pad;                             ///< pads count as zeros
  bool integer_sums;                                  ///< the factor is multiplied once, the zero point added last
  double x_scale, y_scale;
  int64_t x_zero, y_zero;
};

template <class X, class Y, int R>
SINTER_FUNCTION void quantizedAveragePool(const QuantizedAveragePoolParams &p, const View<X, R> &x,
                                          const View<Y, R> &y) {
  PoolAxis a[3];
  poolAxes<true>(p, p.pads, x, y, a);
  for (int64_t n = 0; n < y.sizes[0]; ++n) {
    const X *image = x.data + n * x.strides[0];
    Y *result = y.data + n * y.strides[0];
    int64_t done = 0;
    if constexpr (SINTER_VECTOR_BYTES > 1)
      done = quantizedPlanes(p, a, image, x.strides[1], result, y.strides[1], y.sizes[1]);
    for (int64_t c = done; c < y.sizes[1]; ++c) {
      const X *from = image + c * x.strides[1];
      Y *to = result + c * y.strides[1];
      if (p.integer_sums)
        quantizedAverages<int32_t>(p, a, from, to, 1);
      else
        quantizedAverages<float>(p, a, from, to, 1);
    }
  }
}

} // namespace
} // namespace sinter
