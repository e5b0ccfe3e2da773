// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The geometry of a pool over one to three spatial dims, as three: missing ones in front have size 1. Used by
// max_pool.h and average_pool.h.
#pragma once

#include "runtime-lite/vec_type.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

struct PoolAxis {
  int64_t in, out, inStride, outStride, kernel, stride, dilation, low, high;

  /// Place of tap k of window o; outside [0, in) it is padding.
  SINTER_HOST_DEVICE int64_t place(int64_t o, int64_t k) const { return o * stride - low + k * dilation; }
  /// The windows first <= o < last whose tap k lies inside.
  SINTER_HOST_DEVICE int64_t first(int64_t k) const {
    const int64_t before = low - k * dilation;
    return before <= 0 ? 0 : (before + stride - 1) / stride;
  }
  SINTER_HOST_DEVICE int64_t last(int64_t k) const {
    const int64_t room = in + low - k * dilation;
    const int64_t end = room <= 0 ? 0 : (room + stride - 1) / stride;
    return end < out ? end : out;
  }
  /// Taps of window o inside the input, and inside input and pads.
  SINTER_HOST_DEVICE int64_t inside(int64_t o) const {
    int64_t count = 0;
    for (int64_t k = 0; k < kernel; ++k)
      count += place(o, k) >= 0 && place(o, k) < in;
    return count;
  }
  SINTER_HOST_DEVICE int64_t insidePads(int64_t o) const {
    int64_t count = 0;
    for (int64_t k = 0; k < kernel; ++k)
      count += place(o, k) < in + high;
    return count;
  }
};

/// Spatial dim d of maps; of those in front that are missing, which have negative numbers, one element.
template <int d, bool hasHigh, class Params, class X, class Y, int R>
SINTER_INLINE PoolAxis poolAxis(const Params &p, const int64_t *pads, const View<X, R> &x, const View<Y, R> &y) {
  if constexpr (d < 0)
    return {1, 1, 0, 0, 1, 1, 1, 0, 0};
  else
    return {x.sizes[d + 2],   y.sizes[d + 2], x.strides[d + 2],
            y.strides[d + 2], p.kernel[d],    p.strides[d],
            p.dilations[d],   pads[d],        hasHigh ? pads[R - 2 + d] : 0};
}

/// Params has kernel, strides, dilations. `pads` are the low ones, then (where `hasHigh`) the high ones. Each axis by
/// itself, not in a loop: what is known of it stays known on GPUs, and nothing lies in memory.
template <bool hasHigh, class Params, class X, class Y, int R>
SINTER_INLINE void poolAxes(const Params &p, const int64_t *pads, const View<X, R> &x, const View<Y, R> &y,
                            PoolAxis (&axes)[3]) {
  static_assert(R >= 3 && R <= 5, "one to three spatial dims");
  axes[0] = poolAxis<R - 5, hasHigh>(p, pads, x, y);
  axes[1] = poolAxis<R - 4, hasHigh>(p, pads, x, y);
  axes[2] = poolAxis<R - 3, hasHigh>(p, pads, x, y);
}

/// [n, c / b, spatial..., b] as the [n, 1, spatial...] of a channel.
template <class T, int R>
SINTER_HOST_DEVICE View<T, R - 1> planeOf(const View<T, R> &map, int64_t block, int64_t lane) {
  View<T, R - 1> plane{map.data + block * map.strides[1] + lane * map.strides[R - 1], {}, {}};
  for (int d = 0; d < R - 1; ++d) {
    plane.sizes[d] = d == 1 ? 1 : map.sizes[d];
    plane.strides[d] = d == 1 ? 0 : map.strides[d];
  }
  return plane;
}

/// visit(z, y, kx): the taps of one row of outputs, in x's order.
template <class Visit>
SINTER_FUNCTION void forEachTapRow(const PoolAxis (&a)[3], int64_t oz, int64_t oy, Visit visit) {
  for (int64_t kz = 0; kz < a[0].kernel; ++kz) {
    const int64_t iz = a[0].place(oz, kz);
    if (iz < 0 || iz >= a[0].in)
      continue;
    for (int64_t ky = 0; ky < a[1].kernel; ++ky) {
      const int64_t iy = a[1].place(oy, ky);
      if (iy < 0 || iy >= a[1].in)
        continue;
      for (int64_t kx = 0; kx < a[2].kernel; ++kx)
        visit(iz, iy, kx);
    }
  }
}

/// visit(offset): the taps of one window that lie inside of the input, where they lie, in x's order.
template <class Visit>
SINTER_INLINE void forEachTapInside(const PoolAxis (&a)[3], int64_t oz, int64_t oy, int64_t ox, Visit visit) {
  int64_t first = 0, last = a[2].kernel;
  while (first < last && a[2].place(ox, first) < 0)
    ++first;
  while (first < last && a[2].place(ox, last - 1) >= a[2].in)
    --last;
  const int64_t step = a[2].dilation * a[2].inStride, start = a[2].place(ox, first) * a[2].inStride;
  for (int64_t kz = 0; kz < a[0].kernel; ++kz)
    for (int64_t ky = 0; ky < a[1].kernel; ++ky) {
      const int64_t iz = a[0].place(oz, kz), iy = a[1].place(oy, ky);
      if (iz < 0 || iz >= a[0].in || iy < 0 || iy >= a[1].in)
        continue;
      int64_t offset = start + iz * a[0].inStride + iy * a[1].inStride;
      for (int64_t k = first; k < last; ++k, offset += step)
        visit(offset);
    }
}

} // namespace
} // namespace sinter
