// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maxima of windows up to what a mask hides: a 0 of the mask ends the row of the window that it stands in, the last
// spatial dim's. As onnxruntime has it the first element of a map is hidden only where that is the only spatial dim,
// and channel c reads the mask from element c * image % rows on.
#pragma once

#include "templates/pool/pool_window.h"

namespace sinter {
namespace {

struct MaxPoolMaskedParams {
  const int64_t *kernel, *strides, *dilations;
};

/// `mask` [N * C of its own, image]; `pads` as of max_pool_indices.h.
template <int R>
SINTER_FUNCTION void maxPoolMasked(const MaxPoolMaskedParams &p, const View<const float, R> &x,
                                   const View<const int32_t, 2> &mask, const View<const int64_t, 1> &pads,
                                   const View<float, R> &y) {
  PoolAxis a[3];
  int64_t low[R - 2];
  for (int i = 0; i < R - 2; ++i)
    low[i] = pads.data[i * pads.strides[0]];
  poolAxes<false>(p, low, x, y, a);
  const int64_t image = a[0].in * a[1].in * a[2].in;
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t c = 0; c < y.sizes[1]; ++c) {
      const int64_t start = (n * y.sizes[1] + c) * image % mask.sizes[0];
      const float *const from = x.data + n * x.strides[0] + c * x.strides[1];
      float *const to = y.data + n * y.strides[0] + c * y.strides[1];
      const auto isHidden = [&](int64_t place) {
        const int64_t at = start + place;
        return (R == 3 || place > 0) && mask.data[at / image * mask.strides[0] + at % image * mask.strides[1]] == 0;
      };
      for (int64_t oz = 0; oz < a[0].out; ++oz)
        for (int64_t oy = 0; oy < a[1].out; ++oy)
          for (int64_t ox = 0; ox < a[2].out; ++ox) {
            float best = -3.402823466e+38f; // of a window without elements too
            for (int64_t kz = 0; kz < a[0].kernel; ++kz)
              for (int64_t ky = 0; ky < a[1].kernel; ++ky) {
                const int64_t iz = a[0].place(oz, kz), iy = a[1].place(oy, ky);
                if (iz < 0 || iz >= a[0].in || iy < 0 || iy >= a[1].in)
                  continue;
                for (int64_t kx = 0; kx < a[2].kernel; ++kx) {
                  const int64_t ix = a[2].place(ox, kx);
                  if (ix < 0)
                    continue;
                  if (ix >= a[2].in || isHidden((iz * a[1].in + iy) * a[2].in + ix))
                    break;
                  const float v = from[iz * a[0].inStride + iy * a[1].inStride + ix * a[2].inStride];
                  best = v > best ? v : best;
                }
              }
            to[oz * a[0].outStride + oy * a[1].outStride + ox * a[2].outStride] = best;
          }
    }
}

} // namespace
} // namespace sinter
