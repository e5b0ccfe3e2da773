// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxPool over x [n, c, spatial...]. NaN wins. Where vectors are and neighbours are adjacent, as pool.h has it; else a
// row of outputs is the running maximum of rows of x, one per tap, so that the inner loop is long.
#pragma once

#include "runtime-lite/convert.h"
#include "templates/math/limits.h"
#include "templates/pool/pool_planar.h"

namespace sinter {
namespace {

struct MaxPoolParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< per spatial dim; low pads
};

template <class X, class Y, int R>
SINTER_FUNCTION void maxPool(const MaxPoolParams &p, const View<X, R> &x, const View<Y, R> &y) {
  using C = ComputeType<Y>;
  if (poolPlanarly<false, C>(p, MaxPool{}, x, y))
    return;
  PoolAxis a[3];
  poolAxes<false>(p, p.pads, x, y, a);
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t c = 0; c < y.sizes[1]; ++c)
      for (int64_t oz = 0; oz < a[0].out; ++oz)
        for (int64_t oy = 0; oy < a[1].out; ++oy) {
          const X *from = x.data + n * x.strides[0] + c * x.strides[1];
          Y *to = y.data + n * y.strides[0] + c * y.strides[1] + oz * a[0].outStride + oy * a[1].outStride;
          for (int64_t ox = 0; ox < a[2].out; ++ox)
            to[ox * a[2].outStride] = convert<Y>(lowest<C>());
          forEachTapRow(a, oz, oy, [&](int64_t iz, int64_t iy, int64_t kx) {
            const X *row = from + iz * a[0].inStride + iy * a[1].inStride;
            for (int64_t ox = a[2].first(kx), end = a[2].last(kx); ox < end; ++ox) {
              const C v = convert<C>(row[a[2].place(ox, kx) * a[2].inStride]);
              Y &best = to[ox * a[2].outStride];
              best = v > convert<C>(best) || v != v ? convert<Y>(v) : best;
            }
          });
        }
}

} // namespace
} // namespace sinter
