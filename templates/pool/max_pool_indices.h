// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxPool with the place of each maximum: an index into all of x, flattened. The first maximum in x's order wins.
// Without places: max_pool.h.
#pragma once

#include "runtime-lite/bits.h"
#include "runtime-lite/convert.h"
#include "templates/loops/gather.h"
#include "templates/math/limits.h"
#include "templates/pool/pool_window.h"

namespace sinter {
namespace {

struct MaxPoolIndicesParams {
  const int64_t *kernel, *strides, *dilations;
  bool column_major; ///< storage_order 1: the place counts the first spatial dim fastest
};

/// The elements of the taps of as many windows as V has lanes, `stride` apart from p on; `room`: elements from p to the
/// end of the row.
template <class V, class X>
SINTER_INLINE V windowsOfTap(const X *p, int64_t stride, int64_t room) {
  if (stride == 1)
    return load<V>(p);
  if (stride == 2 && room >= 2 * kLanesOf<V>)
    return loadEven<V>(p);
  return loadApart<V>(p, stride);
}

/// many(Tag<W>, o) for windows first <= o < last, as many at a time as V has lanes, or half of them, and half of these
/// where they are fewer; the last vector goes back over some. There are at least four, or V's lanes.
template <class V, class Many>
SINTER_INLINE void windowsInLanes(int64_t first, int64_t last, const Many &many) {
  constexpr int lanes = kLanesOf<V>;
  if constexpr (lanes > 4)
    if (last - first < lanes)
      return windowsInLanes<Vec<ElementOf<V>, lanes / 2>>(first, last, many);
  for (int64_t o = first; o < last; o += lanes)
    many(Tag<V>{}, o + lanes <= last ? o : last - lanes);
}

/// `pads` are the low ones of the R - 2 spatial dims; what x does not have is padding. Windows whose taps along a row
/// all lie inside go in lanes, where neighbours of a row are adjacent.
template <class X, class Y, int R>
SINTER_FUNCTION void maxPoolIndices(const MaxPoolIndicesParams &p, const View<X, R> &x,
                                    const View<const int64_t, 1> &pads, const View<Y, R> &y,
                                    const View<int64_t, R> &places) {
  using C = ComputeType<Y>;
  using E = typename IfType<(sizeof(C) < 4), int32_t, C>::Type; // places in lanes need four bytes
  using V = Vec<E, kLanes<E>>;
  constexpr int lanes = kLanesOf<V>, fewest = lanes < 4 ? lanes : 4;
  PoolAxis a[3], q[3];
  int64_t low[R - 2];
  for (int i = 0; i < R - 2; ++i)
    low[i] = pads.data[i * pads.strides[0]];
  poolAxes<false>(p, low, x, y, a);
  poolAxes<false>(p, low, x, places, q);
  const int64_t image = a[0].in * a[1].in * a[2].in, columnStep = p.column_major ? a[0].in * a[1].in : 1;
  const int64_t whole = a[2].first(0), wholeEnd = a[2].last(a[2].kernel - 1); // windows that have all taps of a row
  const bool inLanes = lanes > 1 && a[2].inStride == 1 && wholeEnd - whole >= fewest && image < (int64_t(1) << 31);
  for (int64_t n = 0; n < y.sizes[0]; ++n)
    for (int64_t c = 0; c < y.sizes[1]; ++c)
      for (int64_t oz = 0; oz < a[0].out; ++oz)
        for (int64_t oy = 0; oy < a[1].out; ++oy) {
          const X *from = x.data + n * x.strides[0] + c * x.strides[1];
          Y *to = y.data + n * y.strides[0] + c * y.strides[1] + oz * a[0].outStride + oy * a[1].outStride;
          int64_t *at =
              places.data + n * places.strides[0] + c * places.strides[1] + oz * q[0].outStride + oy * q[1].outStride;
          const int64_t first = (n * x.sizes[1] + c) * image;
          const auto rowAt = [&](int64_t iz, int64_t iy) { return from + iz * a[0].inStride + iy * a[1].inStride; };
          const auto placeOf = [&](int64_t iz, int64_t iy) {
            return p.column_major ? iz + a[0].in * iy : (iz * a[1].in + iy) * a[2].in;
          };
          const auto one = [&](int64_t ox) {
            C best = lowest<C>();
            int64_t place = -1;
            forEachTapRow(a, oz, oy, [&](int64_t iz, int64_t iy, int64_t kx) {
              const int64_t ix = a[2].place(ox, kx);
              if (ix < 0 || ix >= a[2].in)
                return;
              const C v = convert<C>(rowAt(iz, iy)[ix * a[2].inStride]);
              if (place >= 0 && !(v > best) && v == v)
                return;
              best = v;
              place = first + placeOf(iz, iy) + ix * columnStep;
            });
            to[ox * a[2].outStride] = convert<Y>(best);
            at[ox * q[2].outStride] = place;
          };
          const auto many = [&](auto tag, int64_t ox) {
            using W = typename decltype(tag)::Type;
            using Place = SignedOf<W>;
            W best{};
            Place place = splat<Place>(-1); // of the first window's tap
            const int64_t ix = a[2].place(ox, 0);
            forEachTapRow(a, oz, oy, [&](int64_t iz, int64_t iy, int64_t kx) {
              const int64_t tap = kx * a[2].dilation;
              const W v = windowsOfTap<W>(rowAt(iz, iy) + ix + tap, a[2].stride, a[2].in - ix - tap);
              const auto isBetter = maskOr(maskOr(v > best, v != v), place < Place{});
              best = select(isBetter, v, best);
              place =
                  select(isBetter, splat<Place>(ElementOf<Place>(placeOf(iz, iy) + (ix + tap) * columnStep)), place);
            });
            ElementOf<Place> found[kLanesOf<W>];
            store(&found[0], place);
            for (int i = 0; i < kLanesOf<W>; ++i)
              at[(ox + i) * q[2].outStride] = first + found[i] + i * a[2].stride * columnStep;
            storeStrided(to + ox * a[2].outStride, a[2].outStride, best);
          };
          bool hasRows = false;
          forEachTapRow(a, oz, oy, [&](int64_t, int64_t, int64_t) { hasRows = true; });
          const int64_t begin = inLanes && hasRows ? whole : 0, end = inLanes && hasRows ? wholeEnd : 0;
          for (int64_t ox = 0; ox < begin; ++ox)
            one(ox);
          if constexpr (lanes > 1)
            windowsInLanes<V>(begin, end, many);
          for (int64_t ox = end; ox < a[2].out; ++ox)
            one(ox);
        }
}

} // namespace
} // namespace sinter
