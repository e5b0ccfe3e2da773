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

/// Whether an element comes behind one of value `kept` that stands before it, as one comparison says; where NaN is one
/// of them, or of strings, it does not say so.
template <class X>
SINTER_FUNCTION bool isSurelyBehind(const X &x, const X &kept, bool largest) {
  if constexpr (kSame<X, sinter_string>) {
    return false;
  } else {
    const auto a = convert<ComputeType<X>>(x), b = convert<ComputeType<X>>(kept);
    return largest ? a <= b : a >= b;
  }
}

/// order[0 .. k) = the first k of n in the order of `comesBehind`, as a heap whose root is the last of them. Most of
/// what comes later comes behind that one, which a comparison for each tells, blocks of them at a time.
template <class X, class Behind>
SINTER_FUNCTION void keepFirst(const X *row, int64_t stride, int64_t n, int64_t k, bool largest, int64_t *order,
                               Behind comesBehind) {
  const auto comesBefore = [&](int64_t a, int64_t b) { return comesBehind(b, a); };
  for (int64_t i = 0; i < k; ++i)
    order[i] = i;
  for (int64_t root = k / 2; root-- > 0;)
    siftDown(order, root, k, comesBefore);
  constexpr int64_t block = 32;
  for (int64_t i = k; i < n;) {
    const int64_t end = i + block < n ? i + block : n;
    const X kept = row[order[0] * stride];
    if (end - i == block) {
      int mayCome = 0;
      if (stride == 1)
        for (int64_t j = 0; j < block; ++j)
          mayCome |= int(!isSurelyBehind(row[i + j], kept, largest));
      else
        for (int64_t j = 0; j < block; ++j)
          mayCome |= int(!isSurelyBehind(row[(i + j) * stride], kept, largest));
      if (mayCome == 0) {
        i = end;
        continue;
      }
    }
    for (; i < end; ++i)
      if (!comesBehind(i, order[0])) {
        order[0] = i;
        siftDown(order, 0, k, comesBefore);
      }
  }
}

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
    const auto comesBehind = [&](int64_t a, int64_t b) {
      const int c = compareElements(row[a * x.strides[axis]], row[b * x.strides[axis]]);
      return c == 0 ? a > b : p.largest ? c < 0 : c > 0;
    };
    const bool isFew = k > 0 && k <= n / 4;
    if (isFew)
      keepFirst(row, x.strides[axis], n, k, p.largest, order.data, comesBehind);
    else
      for (int64_t i = 0; i < n; ++i)
        order.data[i] = i;
    takeLast(order.data, isFew ? k : n, k, comesBehind, [&](int64_t i, int64_t at) {
      value[i * values.strides[axis]] = row[at * x.strides[axis]];
      where[i * indices.strides[axis]] = at;
    });
  });
}

} // namespace
} // namespace sinter
