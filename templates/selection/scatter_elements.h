// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ScatterElements: a copy of data in which each update replaces, or is combined with, the element that its index along
// the axis names.
#pragma once

#include "templates/loops/index_walk.h"
#include "templates/selection/scatter_reduction.h"

namespace sinter {
namespace {

struct ScatterElementsParams {
  int64_t axis, reduction;
};

template <class D, class I, class U, class Y, int R>
SINTER_FUNCTION int scatterElements(const ScatterElementsParams &p, const View<D, R> &data, const View<I, R> &indices,
                                    const View<U, R> &updates, const View<Y, R> &y) {
  int status = 0;
  const int axis = int(p.axis);
  if (static_cast<const void *>(data.data) != y.data) // else y is data, whose elements stay
    forEachRow(y.sizes, -1, [&](const int64_t(&index)[R]) {
      y.data[placeOf(index, y.strides)] = data.data[placeOf(index, data.strides)];
    });
  forEachRow(indices.sizes, -1, [&](const int64_t(&index)[R]) {
    int64_t at = int64_t(indices.data[placeOf(index, indices.strides)]);
    at += at < 0 ? y.sizes[axis] : 0;
    if (at < 0 || at >= y.sizes[axis]) {
      status = 5; // index out of range
      return;
    }
    const int64_t place = placeOf(index, y.strides) + (at - index[axis]) * y.strides[axis];
    scatterOne(p.reduction, y.data[place], updates.data[placeOf(index, updates.strides)]);
  });
  return status;
}

} // namespace
} // namespace sinter
