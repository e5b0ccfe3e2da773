// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ScatterElements: a copy of data in which each update replaces, or is combined with, the element that its index along
// the axis names.
#pragma once

#include "templates/loops/copy_view.h"
#include "templates/selection/scatter_reduction.h"

namespace sinter {
namespace {

struct ScatterElementsParams {
  int64_t axis, reduction;
};

template <class Reduction, class I, class U, class Y, int R>
SINTER_FUNCTION int scatterRows(Reduction reduction, int axis, const View<I, R> &indices, const View<U, R> &updates,
                                const View<Y, R> &y) {
  int status = 0;
  if (indices.sizes[R - 1] == 0)
    return 0;
  // Along a row of updates: where each lies but for what its index along the axis adds.
  const int64_t along = y.sizes[axis], stride = y.strides[axis], step = axis == R - 1 ? 0 : y.strides[R - 1];
  const int64_t indexStep = indices.strides[R - 1], updateStep = updates.strides[R - 1];
  forEachRow(indices.sizes, R - 1, [&](const int64_t(&index)[R]) {
    Y *const row = y.data + placeOf(index, y.strides) - index[axis] * stride;
    const I *const at = indices.data + placeOf(index, indices.strides);
    const U *const update = updates.data + placeOf(index, updates.strides);
    for (int64_t j = 0; j < indices.sizes[R - 1]; ++j) {
      int64_t k = int64_t(at[j * indexStep]);
      k += k < 0 ? along : 0;
      if (SINTER_UNLIKELY(uint64_t(k) >= uint64_t(along)))
        status = 5; // index out of range
      else
        scatterOne(reduction, row[j * step + k * stride], update[j * updateStep]);
    }
  });
  return status;
}

template <class D, class I, class U, class Y, int R>
SINTER_FUNCTION int scatterElements(const ScatterElementsParams &p, const View<D, R> &data, const View<I, R> &indices,
                                    const View<U, R> &updates, const View<Y, R> &y) {
  copyView(data, y);
  return withReduction(p.reduction,
                       [&](auto reduction) { return scatterRows(reduction, int(p.axis), indices, updates, y); });
}

} // namespace
} // namespace sinter
