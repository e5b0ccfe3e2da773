// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantized_average_pool.h on a feature map or a volume in channel blocks [n, c / b, spatial..., b]; channels-last
// is one block.
#pragma once

#include "templates/pool/quantized_average.h"

namespace sinter {
namespace {

struct QuantizedAveragePoolBlockedParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< per spatial dim; pads: low ones, then high ones
  bool count_include_pad, integer_sums;               ///< as in QuantizedAveragePoolParams
  double x_scale, y_scale;
  int64_t x_zero, y_zero;
};

template <class X, class Y, int R>
SINTER_FUNCTION void quantizedAveragePoolBlocked(const QuantizedAveragePoolBlockedParams &p, const View<X, R> &x,
                                                 const View<Y, R> &y) {
  PoolAxis a[3];
  poolAxes<true>(p, p.pads, planeOf(x, 0, 0), planeOf(y, 0, 0), a);
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t block = 0; block < y.sizes[1]; ++block) {
      const X *from = x.data + n * x.strides[0] + block * x.strides[1];
      Y *to = y.data + n * y.strides[0] + block * y.strides[1];
      if (p.integer_sums)
        quantizedAverages<int32_t>(p, a, from, to, y.sizes[R - 1]);
      else
        quantizedAverages<float>(p, a, from, to, y.sizes[R - 1]);
    }
}

} // namespace
} // namespace sinter
