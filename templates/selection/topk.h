// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TopK along an axis: the k largest or smallest with their indices, in order; of equal ones the first in x comes first.
// k is the outputs' size.
#pragma once

#include "runtime-lite/view.h"
#include "templates/loops/index_walk.h"
#include "templates/selection/compare.h"
#include "templates/selection/heap_sort.h"

namespace sinter {
namespace {

struct TopkParams {
  int64_t axis;
  bool largest;
};

/// `order` is scratch, as long as the axis.
template <class X, class Y, int R>
SINTER_FUNCTION void topk(const TopkParams &p, const View<X, R> &x, const View<Y, R> &values,
                          const View<int64_t, R> &indices, const View<int64_t, 1> &order) {
  const int axis = int(p.axis);
  const int64_t n = x.sizes[axis], k = values.sizes[axis] < n ? values.sizes[axis] : n;
  forEachRow(x.sizes, axis, [&](const int64_t(&index)[R]) {
    const X *row = x.data + placeOf(index, x.strides);
    Y *value = values.data + placeOf(index, values.strides);
    int64_t *where = indices.data + placeOf(index, indices.strides);
    for (int64_t i = 0; i < n; ++i)
      order.data[i] = i;
    const auto comesBehind = [&](int64_t a, int64_t b) {
      const int c = compareElements(row[a * x.strides[axis]], row[b * x.strides[axis]]);
      return c == 0 ? a > b : p.largest ? c < 0 : c > 0;
    };
    takeLast(order.data, n, k, comesBehind, [&](int64_t i, int64_t at) {
      value[i * values.strides[axis]] = row[at * x.strides[axis]];
      where[i * indices.strides[axis]] = at;
    });
  });
}

} // namespace
} // namespace sinter
