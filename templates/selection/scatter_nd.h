// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ScatterND: a copy of data in which slices are replaced by, or combined with, updates; the last dim of indices names
// the slice.
#pragma once

#include "templates/loops/copy_view.h"
#include "templates/selection/scatter_reduction.h"

namespace sinter {
namespace {

struct ScatterNdParams {
  int64_t reduction;
};

template <class Reduction, class I, class U, class Y, int R>
SINTER_FUNCTION int scatterSlices(Reduction reduction, const View<I, 2> &indices, const View<U, 2> &updates,
                                  const View<Y, R> &y) {
  int status = 0;
  const int64_t n = updates.sizes[1], step = y.strides[R - 1], updateStep = updates.strides[1];
  for (int64_t i = 0; i < indices.sizes[0]; ++i) {
    int64_t place = 0;
    bool inside = true;
    for (int k = 0; k < R - 1; ++k) {
      int64_t at = int64_t(indices.data[i * indices.strides[0] + k * indices.strides[1]]);
      at += at < 0 ? y.sizes[k] : 0;
      inside = inside && at >= 0 && at < y.sizes[k];
      place += inside ? at * y.strides[k] : 0;
    }
    if (SINTER_UNLIKELY(!inside)) {
      status = 5; // index out of range
      continue;
    }
    Y *const to = y.data + place;
    const U *const update = updates.data + i * updates.strides[0];
    if (step == 1 && updateStep == 1 && n > 1)
      scatterRow(reduction, to, update, n);
    else
      for (int64_t j = 0; j < n; ++j)
        scatterOne(reduction, to[j * step], update[j * updateStep]);
  }
  return status;
}

/// data and y as [d0, ..., d(K-1), slice], indices [n, K], updates [n, slice].
template <class D, class I, class U, class Y, int R>
SINTER_FUNCTION int scatterNd(const ScatterNdParams &p, const View<D, R> &data, const View<I, 2> &indices,
                              const View<U, 2> &updates, const View<Y, R> &y) {
  copyView(data, y);
  return withReduction(p.reduction, [&](auto reduction) { return scatterSlices(reduction, indices, updates, y); });
}

} // namespace
} // namespace sinter
