// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One output element of a pool, as templates/pool has it on CPUs; a thread each. What a kernel takes: the element's
// number among y's, row by row; elements past the last are none.
#pragma once

#include "templates/cuda/element_index.h"
#include "templates/pool/average_pool.h"
#include "templates/pool/average_pool_blocked.h"
#include "templates/pool/max_pool.h"
#include "templates/pool/max_pool_blocked.h"
#include "templates/pool/max_pool_indices.h"

namespace sinter {
namespace {

/// The output with that number: where its plane and it lie, and its place in the plane.
template <class X, class Y, int R>
struct PoolElement {
  const X *from = nullptr;
  Y *to = nullptr;
  PoolAxis axes[3];
  int64_t place[3] = {};

  /// [n, c, spatial...]
  SINTER_DEVICE static PoolElement plain(int64_t element, const View<X, R> &x, const View<Y, R> &y) {
    PoolElement at;
    int64_t index[R], rest = element;
    for (int d = R; d-- > 0; rest /= y.sizes[d])
      index[d] = rest % y.sizes[d];
    if (rest != 0)
      return at;
    at.from = x.data + index[0] * x.strides[0] + index[1] * x.strides[1];
    at.to = y.data;
    for (int d = 0; d < R; ++d)
      at.to += index[d] * y.strides[d];
    for (int d = 2; d < R; ++d)
      at.place[d + 1 - (R - 2)] = index[d];
    return at;
  }
};

/// Calls `pool(x, y, element)` on the plane that an element of a blocked map is of.
template <class X, class Y, int R, class Pool>
SINTER_DEVICE void inPlane(int64_t element, const View<X, R> &x, const View<Y, R> &y, Pool pool) {
  const int64_t lane = element % y.sizes[R - 1], pixel = element / y.sizes[R - 1];
  int64_t perBlock = 1;
  for (int d = 2; d < R - 1; ++d)
    perBlock *= y.sizes[d];
  const int64_t block = pixel / perBlock % y.sizes[1], image = pixel / perBlock / y.sizes[1];
  pool(planeOf(x, block, lane), planeOf(y, block, lane), image * perBlock + pixel % perBlock);
}

template <class X, class Y, int R>
SINTER_DEVICE void maxPoolElement(int64_t element, const MaxPoolParams &p, const View<X, R> &x, const View<Y, R> &y) {
  using C = ComputeType<Y>;
  auto at = PoolElement<X, Y, R>::plain(element, x, y);
  if (!at.to)
    return;
  poolAxes<false>(p, p.pads, x, y, at.axes);
  C best = lowest<C>();
  forEachTapInside(at.axes, at.place[0], at.place[1], at.place[2], [&](int64_t offset) {
    const C v = convert<C>(at.from[offset]);
    best = v > best || v != v ? v : best;
  });
  *at.to = convert<Y>(best);
}

template <class X, class Y, int R>
SINTER_DEVICE void maxPoolIndicesElement(int64_t element, const MaxPoolIndicesParams &p, const View<X, R> &x,
                                         const View<const int64_t, 1> &pads, const View<Y, R> &y,
                                         const View<int64_t, R> &places) {
  using C = ComputeType<Y>;
  int64_t index[R] = {}, low[R - 2], window[3] = {};
  if (!cuda::indexOf(element, y.sizes, index))
    return;
  for (int d = 0; d < R - 2; ++d) {
    low[d] = pads.data[d * pads.strides[0]];
    window[d + 3 - (R - 2)] = index[d + 2];
  }
  PoolAxis a[3];
  poolAxes<false>(p, low, x, y, a);
  const X *const from = x.data + index[0] * x.strides[0] + index[1] * x.strides[1];
  const int64_t image = a[0].in * a[1].in * a[2].in, plane = (index[0] * x.sizes[1] + index[1]) * image;
  C best = lowest<C>();
  int64_t place = -1;
  forEachTapRow(a, window[0], window[1], [&](int64_t iz, int64_t iy, int64_t kx) {
    const int64_t ix = a[2].place(window[2], kx);
    if (ix < 0 || ix >= a[2].in)
      return;
    const C v = convert<C>(from[iz * a[0].inStride + iy * a[1].inStride + ix * a[2].inStride]);
    if (place >= 0 && !(v > best) && v == v)
      return;
    best = v;
    place = plane + (p.column_major ? iz + a[0].in * (iy + a[1].in * ix) : (iz * a[1].in + iy) * a[2].in + ix);
  });
  y.data[placeOf(index, y.strides)] = convert<Y>(best);
  places.data[placeOf(index, places.strides)] = place;
}

template <class X, class Y, int R>
SINTER_DEVICE void averagePoolElement(int64_t element, const AveragePoolParams &p, const View<X, R> &x,
                                      const View<Y, R> &y) {
  using C = ComputeType<Y>;
  auto at = PoolElement<X, Y, R>::plain(element, x, y);
  if (!at.to)
    return;
  poolAxes<true>(p, p.pads, x, y, at.axes);
  C sum = C(0);
  forEachTapInside(at.axes, at.place[0], at.place[1], at.place[2],
                   [&](int64_t offset) { sum += convert<C>(at.from[offset]); });
  int64_t taps = 1;
  for (int d = 0; d < 3; ++d)
    taps *= p.count_include_pad ? at.axes[d].insidePads(at.place[d]) : at.axes[d].inside(at.place[d]);
  if (!p.sum)
    sum = taps ? sum / C(taps) : C(0);
  *at.to = convert<Y>(sum);
}

template <class X, class Y, int R>
SINTER_DEVICE void maxPoolBlockedElement(int64_t element, const MaxPoolBlockedParams &p, const View<X, R> &x,
                                         const View<Y, R> &y) {
  inPlane(element, x, y, [&](const View<X, R - 1> &plane, const View<Y, R - 1> &out, int64_t pixel) {
    maxPoolElement(pixel, MaxPoolParams{p.kernel, p.strides, p.dilations, p.pads}, plane, out);
  });
}

template <class X, class Y, int R>
SINTER_DEVICE void averagePoolBlockedElement(int64_t element, const AveragePoolBlockedParams &p, const View<X, R> &x,
                                             const View<Y, R> &y) {
  inPlane(element, x, y, [&](const View<X, R - 1> &plane, const View<Y, R - 1> &out, int64_t pixel) {
    averagePoolElement(pixel, AveragePoolParams{p.kernel, p.strides, p.dilations, p.pads, p.count_include_pad, false},
                       plane, out);
  });
}

} // namespace
} // namespace sinter
