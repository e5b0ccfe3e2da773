// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxRoiPool: each region of interest, rounded to whole elements, as a grid of bins with the maximum of each; an empty
// bin is 0.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/view.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

struct MaxRoiPoolParams {
  double spatial_scale;
};

/// Bin k of n over a region of `length` elements from `start` on, cut to the map: first and one behind the last.
struct RoiBin {
  int64_t first, last;
};
SINTER_FUNCTION RoiBin roiBin(int64_t k, int64_t n, int64_t start, int64_t length, int64_t size) {
  const auto clampTo = [&](int64_t v) { return v < 0 ? 0 : v > size ? size : v; };
  return RoiBin{clampTo(start + k * length / n), clampTo(start + ((k + 1) * length + n - 1) / n)};
}

template <class X, class B, class Y>
SINTER_FUNCTION int maxRoiPool(const MaxRoiPoolParams &p, const View<X, 4> &x, const View<B, 2> &rois,
                               const View<Y, 4> &y) {
  using C = ComputeType<Y>;
  int status = 0;
  const float scale = float(p.spatial_scale);
  for (int64_t r = 0; r < y.sizes[0]; ++r) {
    const auto raw = [&](int64_t k) { return convert<float>(rois.data[r * rois.strides[0] + k * rois.strides[1]]); };
    // Rounded half away from zero, and held where integers are exact.
    const auto edge = [&](int64_t k) {
      const float v = raw(k) * scale, limit = 16777216.0f;
      const float held = v > limit ? limit : v > -limit ? v : -limit;
      return int64_t(held < 0 ? held - 0.5f : held + 0.5f);
    };
    int64_t batch = convert<int64_t>(raw(0));
    if (batch < 0 || batch >= x.sizes[0]) {
      status = 5; // index out of range
      batch = 0;
      if (x.sizes[0] == 0)
        continue;
    }
    const int64_t x0 = edge(1), y0 = edge(2), x1 = edge(3), y1 = edge(4);
    const int64_t roiWidth = x1 - x0 + 1 > 1 ? x1 - x0 + 1 : 1, roiHeight = y1 - y0 + 1 > 1 ? y1 - y0 + 1 : 1;
    for (int64_t c = 0; c < y.sizes[1]; ++c)
      for (int64_t i = 0; i < y.sizes[2]; ++i)
        for (int64_t j = 0; j < y.sizes[3]; ++j) {
          const RoiBin rows = roiBin(i, y.sizes[2], y0, roiHeight, x.sizes[2]),
                       columns = roiBin(j, y.sizes[3], x0, roiWidth, x.sizes[3]);
          const bool isEmpty = rows.first >= rows.last || columns.first >= columns.last;
          C most = isEmpty ? C(0) : lowest<C>();
          for (int64_t h = rows.first; h < rows.last; ++h)
            for (int64_t w = columns.first; w < columns.last; ++w) {
              const C v =
                  convert<C>(x.data[batch * x.strides[0] + c * x.strides[1] + h * x.strides[2] + w * x.strides[3]]);
              most = v > most ? v : most;
            }
          y.data[r * y.strides[0] + c * y.strides[1] + i * y.strides[2] + j * y.strides[3]] = convert<Y>(most);
        }
  }
  return status;
}

} // namespace
} // namespace sinter
