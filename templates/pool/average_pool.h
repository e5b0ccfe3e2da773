// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AveragePool over x [n, c, spatial...], or the sums alone (what LpPool divides nothing by). Sums are float's, or
// double's for double. Where vectors are and neighbours are adjacent, as pool.h has it; else one output after the
// other.
#pragma once

#include "runtime-lite/convert.h"
#include "templates/math/limits.h"
#include "templates/pool/pool_planar.h"

namespace sinter {
namespace {

struct AveragePoolParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< per spatial dim; pads: low ones, then high ones
  bool count_include_pad;                             ///< pads count as zeros
  bool sum;                                           ///< no division
};

template <class X, class Y, int R>
SINTER_FUNCTION void averagePool(const AveragePoolParams &p, const View<X, R> &x, const View<Y, R> &y) {
  using C = ComputeType<Y>;
  if (p.sum ? poolPlanarly<true, C>(p, SumPool{}, x, y)
            : poolPlanarly<true, C>(p, AveragePool{p.count_include_pad}, x, y))
    return;
  PoolAxis a[3];
  poolAxes<true>(p, p.pads, x, y, a);
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t c = 0; c < y.sizes[1]; ++c)
      for (int64_t oz = 0; oz < a[0].out; ++oz)
        for (int64_t oy = 0; oy < a[1].out; ++oy) {
          const X *from = x.data + n * x.strides[0] + c * x.strides[1];
          Y *to = y.data + n * y.strides[0] + c * y.strides[1] + oz * a[0].outStride + oy * a[1].outStride;
          const int64_t rows =
              p.count_include_pad ? a[0].insidePads(oz) * a[1].insidePads(oy) : a[0].inside(oz) * a[1].inside(oy);
          for (int64_t ox = 0; ox < a[2].out; ++ox) {
            C sum = C(0);
            for (int64_t kz = 0; kz < a[0].kernel; ++kz) {
              const int64_t iz = a[0].place(oz, kz);
              if (iz < 0 || iz >= a[0].in)
                continue;
              for (int64_t ky = 0; ky < a[1].kernel; ++ky) {
                const int64_t iy = a[1].place(oy, ky);
                if (iy < 0 || iy >= a[1].in)
                  continue;
                const X *row = from + iz * a[0].inStride + iy * a[1].inStride;
                for (int64_t kx = 0; kx < a[2].kernel; ++kx) {
                  const int64_t ix = a[2].place(ox, kx);
                  if (ix >= 0 && ix < a[2].in)
                    sum += convert<C>(row[ix * a[2].inStride]);
                }
              }
            }
            const int64_t taps = rows * (p.count_include_pad ? a[2].insidePads(ox) : a[2].inside(ox));
            if (!p.sum)
              sum = taps ? sum / C(taps) : C(0);
            to[ox * a[2].outStride] = convert<Y>(sum);
          }
        }
}

} // namespace
} // namespace sinter
