// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What finds an unknown number of things, by one block, whose threads take kBlockThreads at a time: NonZero, Unique and
// NonMaxSuppression, with the results of the CPU's templates, in their order.
#pragma once

#include "templates/cuda/block_scan.h"
#include "templates/cuda/element_index.h"
#include "templates/selection/non_max_suppression.h"
#include "templates/selection/non_zero.h"
#include "templates/selection/unique.h"

namespace sinter {
namespace {

template <class X, int R>
SINTER_DEVICE void nonZeroBlock(const View<X, R> &x, const View<int64_t, 2> &places, const View<int64_t, 0> &count) {
  const int64_t total = elements(x);
  int64_t found = 0;
  for (int64_t first = 0; first < total; first += cuda::kBlockThreads) {
    int64_t index[R] = {};
    const bool isFound =
        cuda::indexOf(first + cuda::threadIndex(), x.sizes, index) && isNonZero(x.data[placeOf(index, x.strides)]);
    const cuda::BlockSums sums = cuda::sumOfEarlier(isFound ? 1 : 0);
    for (int d = 0; isFound && d < R; ++d)
      places.data[d * places.strides[0] + (found + sums.before) * places.strides[1]] = index[d];
    found += sums.all;
  }
  if (cuda::threadIndex() == 0)
    *count.data = found;
}

/// `order` becomes, for each row, the first that is equal to it.
template <class X>
SINTER_DEVICE void uniqueBlock(const UniqueParams &p, const View<const X, 2> &x, const View<int64_t, 1> &first,
                               const View<int64_t, 1> &inverse, const View<int64_t, 1> &counts,
                               const View<int64_t, 0> &count, const View<int64_t, 1> &order) {
  const int64_t n = x.sizes[0], thread = cuda::threadIndex();
  const auto at = [](const View<int64_t, 1> &y, int64_t i) -> int64_t & { return y.data[i * y.strides[0]]; };
  const auto compareRows = [&](int64_t a, int64_t b) {
    int c = 0;
    for (int64_t j = 0; j < x.sizes[1] && c == 0; ++j)
      c = compareElements(x.data[a * x.strides[0] + j * x.strides[1]], x.data[b * x.strides[0] + j * x.strides[1]]);
    return c;
  };
  int32_t own = 0;
  for (int64_t row = thread; row < n; row += cuda::kBlockThreads) {
    int64_t equal = 0;
    while (compareRows(equal, row) != 0)
      ++equal;
    order.data[row] = equal;
    own += equal == row;
  }
  const int32_t found = cuda::sumOfEarlier(own).all; // a barrier, too
  for (int64_t row = thread; row < n; row += cuda::kBlockThreads) {
    if (order.data[row] != row)
      continue;
    int64_t place = 0, appears = 0;
    for (int64_t other = 0; other < n; ++other) {
      appears += order.data[other] == row;
      if (order.data[other] == other)
        place += p.sorted ? compareRows(other, row) < 0 : other < row;
    }
    at(first, place) = row;
    at(counts, place) = appears;
    at(inverse, row) = place;
  }
  cuda::syncBlock();
  for (int64_t row = thread; row < n; row += cuda::kBlockThreads)
    if (order.data[row] != row)
      at(inverse, row) = at(inverse, order.data[row]);
  if (thread == 0)
    *count.data = found;
}

/// Box after box: the best of those that are left, which then drops what overlaps it. `order` says which are left.
template <class B, class S, class M, class I, class T>
SINTER_DEVICE void nonMaxSuppressionBlock(const NonMaxSuppressionParams &p, const View<B, 3> &boxes,
                                          const View<S, 3> &scores, const View<M, 0> &most, const View<I, 0> &iou,
                                          const View<T, 0> &least, const View<int64_t, 2> &selected,
                                          const View<int64_t, 0> &count, const View<int64_t, 1> &order) {
  const int64_t n = boxes.sizes[1], thread = cuda::threadIndex(), classes = scores.sizes[1];
  int64_t found = 0;
  for (int64_t number = 0; number < scores.sizes[0] * classes; ++number) {
    const int64_t batch = number / classes, c = number % classes, start = found;
    const S *const score = scores.data + batch * scores.strides[0] + c * scores.strides[1];
    for (int64_t i = thread; i < n; i += cuda::kBlockThreads)
      order.data[i] = !p.has_score_threshold || score[i * scores.strides[2]] > *least.data;
    const auto better = [&](int64_t a, int64_t b) {
      if (a < 0 || b < 0)
        return a < 0 ? b : a;
      const int o = compareNumbers<float>(score[a * scores.strides[2]], score[b * scores.strides[2]]);
      return o > 0 || (o == 0 && a < b) ? a : b;
    };
    while (found - start < *most.data) {
      int64_t best = -1;
      for (int64_t i = thread; i < n; i += cuda::kBlockThreads)
        best = better(best, order.data[i] != 0 ? i : -1);
      best = cuda::combineBlock(best, better);
      if (best < 0)
        break;
      const BoxEdges taken = boxEdges(boxes, batch, best, p.center_point_box);
      for (int64_t i = thread; i < n; i += cuda::kBlockThreads)
        if (i == best ||
            (order.data[i] != 0 && overlapsMore(boxEdges(boxes, batch, i, p.center_point_box), taken, *iou.data)))
          order.data[i] = 0;
      if (thread < 3 && found < selected.sizes[0])
        selected.data[found * selected.strides[0] + thread * selected.strides[1]] = thread == 0   ? batch
                                                                                    : thread == 1 ? c
                                                                                                  : best;
      ++found;
    }
  }
  if (thread == 0)
    *count.data = found;
}

} // namespace
} // namespace sinter
