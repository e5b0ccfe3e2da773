// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TopK, a thread for each element of x: it counts those of its row that come before it, and where they are fewer than
// k their number is its place. Most threads of a long row soon have counted k. No scratch, the order of the CPU's
// template (templates/selection/topk.h): that of a sort, in n^2 comparisons where k is n.
#pragma once

#include "templates/cuda/element_index.h"
#include "templates/selection/topk.h"

namespace sinter {
namespace {

/// `element`: the number of an element of x; past the last there are none.
template <class X, class Y, int R>
SINTER_DEVICE void topkElement(int64_t element, const TopkParams &p, const View<X, R> &x, const View<Y, R> &values,
                               const View<int64_t, R> &indices, const View<int64_t, 1> &) {
  int64_t index[R] = {};
  if (!cuda::indexOf(element, x.sizes, index))
    return;
  const int axis = int(p.axis);
  const int64_t n = x.sizes[axis], k = values.sizes[axis] < n ? values.sizes[axis] : n, own = index[axis];
  index[axis] = 0;
  const X *const row = x.data + placeOf(index, x.strides);
  const X mine = row[own * x.strides[axis]];
  int64_t before = 0;
  for (int64_t other = 0; other < n && before < k; ++other) {
    const int c = compareElements(row[other * x.strides[axis]], mine);
    before += c == 0 ? other < own : p.largest ? c > 0 : c < 0;
  }
  if (before >= k)
    return;
  index[axis] = before;
  values.data[placeOf(index, values.strides)] = mine;
  indices.data[placeOf(index, indices.strides)] = own;
}

} // namespace
} // namespace sinter
