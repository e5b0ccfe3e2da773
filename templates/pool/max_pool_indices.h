// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxPool with the place of each maximum: an index into all of x, flattened. The first maximum in x's order wins.
// Without places: max_pool.h.
#pragma once

#include "runtime-lite/convert.h"
#include "templates/math/limits.h"
#include "templates/pool/pool_window.h"

namespace sinter {
namespace {

struct MaxPoolIndicesParams {
  const int64_t *kernel, *strides, *dilations;
  bool column_major; ///< storage_order 1: the place counts the first spatial dim fastest
};

/// `pads` are the low ones of the R - 2 spatial dims; what x does not have is padding.
template <class X, class Y, int R>
SINTER_FUNCTION void maxPoolIndices(const MaxPoolIndicesParams &p, const View<X, R> &x,
                                    const View<const int64_t, 1> &pads, const View<Y, R> &y,
                                    const View<int64_t, R> &places) {
  using C = ComputeType<Y>;
  PoolAxis a[3], q[3];
  int64_t low[R - 2];
  for (int i = 0; i < R - 2; ++i)
    low[i] = pads.data[i * pads.strides[0]];
  poolAxes<false>(p, low, x, y, a);
  poolAxes<false>(p, low, x, places, q);
  const int64_t image = a[0].in * a[1].in * a[2].in;
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t c = 0; c < y.sizes[1]; ++c)
      for (int64_t oz = 0; oz < a[0].out; ++oz)
        for (int64_t oy = 0; oy < a[1].out; ++oy) {
          const X *from = x.data + n * x.strides[0] + c * x.strides[1];
          Y *to = y.data + n * y.strides[0] + c * y.strides[1] + oz * a[0].outStride + oy * a[1].outStride;
          int64_t *at =
              places.data + n * places.strides[0] + c * places.strides[1] + oz * q[0].outStride + oy * q[1].outStride;
          for (int64_t ox = 0; ox < a[2].out; ++ox) {
            to[ox * a[2].outStride] = convert<Y>(lowest<C>());
            at[ox * q[2].outStride] = -1;
          }
          forEachTapRow(a, oz, oy, [&](int64_t iz, int64_t iy, int64_t kx) {
            const X *row = from + iz * a[0].inStride + iy * a[1].inStride;
            for (int64_t ox = a[2].first(kx), end = a[2].last(kx); ox < end; ++ox) {
              const int64_t ix = a[2].place(ox, kx);
              const C v = convert<C>(row[ix * a[2].inStride]);
              Y &best = to[ox * a[2].outStride];
              int64_t &place = at[ox * q[2].outStride];
              if (place >= 0 && !(v > convert<C>(best)) && v == v)
                continue;
              best = convert<Y>(v);
              place = (n * x.sizes[1] + c) * image +
                      (p.column_major ? iz + a[0].in * (iy + a[1].in * ix) : (iz * a[1].in + iy) * a[2].in + ix);
            }
          });
        }
}

} // namespace
} // namespace sinter
