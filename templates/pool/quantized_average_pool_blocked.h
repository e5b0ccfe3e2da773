// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantized_average_pool.h on a feature map in channel blocks [n, c / b, h, w, b]; channels-last is one block.
#pragma once

#include "templates/pool/quantized_average_pool.h"

namespace sinter {
namespace {

struct QuantizedAveragePoolBlockedParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< height, width; pads: low ones, then high ones
  bool count_include_pad, integer_sums;               ///< as in QuantizedAveragePoolParams
  double x_scale, y_scale;
  int64_t x_zero, y_zero;
};

template <class X, class Y>
SINTER_FUNCTION void quantizedAveragePoolBlocked(const QuantizedAveragePoolBlockedParams &p, const View<X, 5> &x,
                                                 const View<Y, 5> &y) {
  PoolAxis a[3] = {PoolAxis{1, 1, 0, 0, 1, 1, 1, 0, 0}, {}, {}};
  for (int d = 0; d < 2; ++d)
    a[d + 1] = PoolAxis{x.sizes[d + 2], y.sizes[d + 2], x.strides[d + 2], y.strides[d + 2], p.kernel[d],
                        p.strides[d],   p.dilations[d], p.pads[d],        p.pads[d + 2]};
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t block = 0; block < y.sizes[1]; ++block) {
      const X *from = x.data + n * x.strides[0] + block * x.strides[1];
      Y *to = y.data + n * y.strides[0] + block * y.strides[1];
      if (p.integer_sums)
        quantizedAverages<int32_t>(p, a, from, to, y.sizes[4]);
      else
        quantizedAverages<float>(p, a, from, to, y.sizes[4]);
    }
}

} // namespace
} // namespace sinter
