// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NonMaxSuppression: per batch entry and class, boxes by falling score, each dropped that overlaps one already taken by
// more than the threshold.
#pragma once

#include "runtime-lite/view.h"
#include "templates/selection/in_order.h"
#include "templates/selection/row_order.h"

namespace sinter {
namespace {

struct NonMaxSuppressionParams {
  bool center_point_box, has_score_threshold;
};

struct BoxEdges {
  float y0, x0, y1, x1;
};

template <class B>
SINTER_FUNCTION BoxEdges boxEdges(const View<B, 3> &boxes, int64_t batch, int64_t i, bool centered) {
  const B *box = boxes.data + batch * boxes.strides[0] + i * boxes.strides[1];
  const int64_t s = boxes.strides[2];
  const float a = box[0], b = box[s], c = box[2 * s], d = box[3 * s];
  if (centered)
    return BoxEdges{b - d / 2, a - c / 2, b + d / 2, a + c / 2};
  return BoxEdges{a < c ? a : c, b < d ? b : d, a < c ? c : a, b < d ? d : b};
}

SINTER_FUNCTION bool overlapsMore(const BoxEdges &a, const BoxEdges &b, float threshold) {
  const float y0 = a.y0 > b.y0 ? a.y0 : b.y0, x0 = a.x0 > b.x0 ? a.x0 : b.x0;
  const float y1 = a.y1 < b.y1 ? a.y1 : b.y1, x1 = a.x1 < b.x1 ? a.x1 : b.x1;
  if (y1 <= y0 || x1 <= x0)
    return false;
  const float common = (y1 - y0) * (x1 - x0), areaA = (a.y1 - a.y0) * (a.x1 - a.x0),
              areaB = (b.y1 - b.y0) * (b.x1 - b.x0);
  const float all = areaA + areaB - common;
  return common > 0 && areaA > 0 && areaB > 0 && all > 0 && common / all > threshold;
}

template <class M>
SINTER_INLINE bool anyOf(M mask) {
  if constexpr (sizeof(M) < 8) {
    return mask != 0;
  } else {
    uint64_t words[sizeof(M) / 8], any = 0;
    memcpy(&words, &mask, sizeof(M));
    SINTER_UNROLL
    for (size_t i = 0; i < sizeof(M) / 8; ++i)
      any |= words[i];
    return any != 0;
  }
}

/// Boxes that are taken: each edge of all of them in a row, so that one is held against many at a time.
struct TakenBoxes {
  float *rows; ///< y0, x0, y1, x1, areas
  int64_t capacity, count = 0;

  SINTER_INLINE_MEMBER static float areaOf(const BoxEdges &box) { return (box.y1 - box.y0) * (box.x1 - box.x0); }
  SINTER_INLINE_MEMBER void add(const BoxEdges &box) {
    const float values[] = {box.y0, box.x0, box.y1, box.x1, areaOf(box)};
    for (int i = 0; i < 5; ++i)
      rows[i * capacity + count] = values[i];
    ++count;
  }
  /// overlapsMore(box, one of them), of as many as V has lanes from k on.
  template <class V>
  SINTER_INLINE_MEMBER bool anyOverlapsMore(const BoxEdges &box, float area, int64_t k, float threshold) const {
    const auto row = [&](int i) SINTER_INLINE_LAMBDA { return load<V>(rows + i * capacity + k); };
    const auto larger = [](float a, V b) SINTER_INLINE_LAMBDA { return select(splat<V>(a) > b, splat<V>(a), b); };
    const auto smaller = [](float a, V b) SINTER_INLINE_LAMBDA { return select(splat<V>(a) < b, splat<V>(a), b); };
    const V zero{}, height = smaller(box.y1, row(2)) - larger(box.y0, row(0)),
                    width = smaller(box.x1, row(3)) - larger(box.x0, row(1));
    const V common = height * width, areas = row(4), all = splat<V>(area) + areas - common;
    return area > 0 && anyOf((height > zero) & (width > zero) & (common > zero) & (areas > zero) & (all > zero) &
                             (common / all > splat<V>(threshold)));
  }
  SINTER_INLINE_MEMBER bool anyOverlapsMore(const BoxEdges &box, float threshold) const {
    const float area = areaOf(box);
    int64_t k = 0;
    if constexpr (kLanes<float> > 1)
      for (; k + kLanes<float> <= count; k += kLanes<float>)
        if (anyOverlapsMore<Vec<float, kLanes<float>>>(box, area, k, threshold))
          return true;
    for (; k < count; ++k)
      if (anyOverlapsMore<float>(box, area, k, threshold))
        return true;
    return false;
  }
};

/// boxes [batch, n, 4], scores [batch, classes, n]; selected [capacity, 3] gets batch, class, box. `order` is scratch
/// of 4 n: items, and taken boxes behind them. Above capacity the count says so, and nothing more is written.
template <class B, class S, class M, class I, class T>
SINTER_FUNCTION void nonMaxSuppression(const NonMaxSuppressionParams &p, const View<B, 3> &boxes,
                                       const View<S, 3> &scores, const View<M, 0> &most, const View<I, 0> &iou,
                                       const View<T, 0> &least, const View<int64_t, 2> &selected,
                                       const View<int64_t, 0> &count, const View<int64_t, 1> &order) {
  int64_t found = 0;
  const int64_t n = boxes.sizes[1], capacity = selected.sizes[0];
  const auto entry = [&](int64_t i, int64_t column) -> int64_t & {
    return selected.data[i * selected.strides[0] + column * selected.strides[1]];
  };
  for (int64_t batch = 0; batch < scores.sizes[0]; ++batch)
    for (int64_t c = 0; c < scores.sizes[1]; ++c) {
      const S *score = scores.data + batch * scores.strides[0] + c * scores.strides[1];
      const int64_t start = found;
      TakenBoxes taken{reinterpret_cast<float *>(order.data + n), n};
      withRowOrder(score, scores.strides[2], n, true, [&](const auto &byScore) {
        int64_t candidates = 0;
        for (int64_t i = 0; i < n; ++i)
          if (!p.has_score_threshold || score[i * scores.strides[2]] > *least.data)
            order.data[candidates++] = byScore.item(i);
        const auto isBefore = [&](int64_t a, int64_t b) { return byScore.isBefore(a, b); };
        visitInOrder(order.data, candidates, isBefore, [&](int64_t item) {
          if (found - start >= *most.data)
            return false;
          const int64_t box = byScore.place(item);
          const BoxEdges edges = boxEdges(boxes, batch, box, p.center_point_box);
          if (taken.anyOverlapsMore(edges, *iou.data))
            return true;
          if (found < capacity) {
            entry(found, 0) = batch;
            entry(found, 1) = c;
            entry(found, 2) = box;
            taken.add(edges);
          }
          ++found;
          return true;
        });
      });
    }
  *count.data = found;
}

} // namespace
} // namespace sinter
