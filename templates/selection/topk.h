// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TopK along an axis: the k largest or smallest with their indices, in order; of equal ones the first in x comes first.
// k is the outputs' size.
#pragma once

#include "runtime-lite/vec.h"
#include "runtime-lite/view.h"
#include "templates/loops/index_walk.h"
#include "templates/selection/in_order.h"
#include "templates/selection/row_order.h"

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
  } else if constexpr (kIsHalf<X>) { // integers of the same order, without conversions
    return largest ? keyOf(x) <= keyOf(kept) : keyOf(x) >= keyOf(kept);
  } else {
    const auto a = convert<ComputeType<X>>(x), b = convert<ComputeType<X>>(kept);
    return largest ? a <= b : a >= b;
  }
}

/// Whether all of kBlock adjacent elements are surely behind, which is cheap to tell of them together. Of halves whole
/// vectors are converted.
template <int64_t kBlock, class X>
SINTER_FUNCTION bool isBlockBehind(const X *x, const X &kept, bool largest) {
  if constexpr (kIsHalf<X>) {
    using C = ComputeType<X>;
    using V = Vec<C, kLanes<C>>;
    const V limit = splat<V>(convert<C>(kept));
    auto apart = V{} != V{};
    for (int64_t j = 0; j < kBlock; j += kLanes<C>) {
      const V v = load<V>(x + j);
      apart |= largest ? !(v <= limit) : !(v >= limit);
    }
    return maxOf(select(apart, splat<V>(1), V{})) == 0;
  } else {
    int mayCome = 0;
    for (int64_t j = 0; j < kBlock; ++j)
      mayCome |= int(!isSurelyBehind(x[j], kept, largest));
    return mayCome == 0;
  }
}

/// items[0 .. k) = the first k of n, in any order, for k <= n / 4. Those that may be among them are collected beside
/// the first k of what came before, from which the first k are chosen again and again. Most of what comes later is
/// behind all of these, which a comparison for each tells, blocks of them at a time.
template <class X, class Order>
SINTER_FUNCTION void keepFirst(const X *row, int64_t stride, int64_t n, int64_t k, bool largest, int64_t *items,
                               const Order &order) {
  constexpr int64_t block = 32;
  const auto isBefore = [&](int64_t a, int64_t b) { return order.isBefore(a, b); };
  const int64_t room = (k < 2 * block ? 2 * block : k) + k;
  int64_t count = 0, i = 0;
  for (; i < n && i < room; ++i)
    items[count++] = order.item(i);
  const auto choose = [&] {
    if (count > k)
      moveFirst(items, count, k, isBefore);
    count = k;
  };
  choose();
  while (i < n) {
    const int64_t end = i + block < n ? i + block : n, lastItem = items[k - 1];
    const X kept = row[order.place(lastItem) * stride];
    if (end - i == block) {
      X adjacent[block];
      for (int64_t j = 0; stride != 1 && j < block; ++j)
        adjacent[j] = row[(i + j) * stride];
      if (isBlockBehind<block>(stride == 1 ? row + i : adjacent, kept, largest)) {
        i = end;
        continue;
      }
    }
    for (; i < end; ++i) {
      if (isSurelyBehind(row[i * stride], kept, largest))
        continue;
      const int64_t item = order.item(i);
      items[count] = item;
      count += int64_t(order.isBefore(item, lastItem));
    }
    if (count + block > room)
      choose();
  }
  choose();
}

/// So few are kept in order while a row is read.
constexpr int64_t kFewKept = 16;

/// What an element is compared by: of halves integers of the same order, which are made once for each.
template <class X>
using RankOf = typename IfType<kIsHalf<X>, int32_t, X>::Type;
template <class X>
SINTER_INLINE RankOf<X> rankOf(const X &x) {
  if constexpr (kIsHalf<X>)
    return keyOf(x);
  else
    return x;
}

/// The first k of n, in order, 0 < k <= kFewKept, k <= n: each element that is before the last of those kept is moved
/// among them. Most are behind all, which blocks of elements tell together.
template <class X>
struct FewInOrder {
  using Rank = RankOf<X>;
  Rank values[kFewKept];
  int64_t places[kFewKept];

  SINTER_INLINE_MEMBER static bool isBefore(const Rank &a, const Rank &b, bool largest) {
    const int c = compareElements(a, b);
    return c != 0 && (c < 0) != largest;
  }
  SINTER_INLINE_MEMBER void insert(const Rank &x, int64_t place, int64_t count, bool largest) {
    int64_t to = count;
    for (; to > 0 && isBefore(x, values[to - 1], largest); --to) {
      values[to] = values[to - 1];
      places[to] = places[to - 1];
    }
    values[to] = x;
    places[to] = place;
  }
  SINTER_INLINE_MEMBER void read(const X *row, int64_t stride, int64_t n, int64_t k, bool largest) {
    constexpr int64_t block = 32;
    int64_t i = 0;
    for (; i < k; ++i)
      insert(rankOf(row[i * stride]), i, i, largest);
    while (i < n) {
      const int64_t end = i + block < n ? i + block : n;
      if (stride == 1 && end - i == block && isBlockBehind<block>(row + i, row[places[k - 1]], largest)) {
        i = end;
        continue;
      }
      for (; i < end; ++i) {
        const Rank x = rankOf(row[i * stride]);
        if (!isSurelyBehind(x, values[k - 1], largest) && isBefore(x, values[k - 1], largest))
          insert(x, i, k - 1, largest);
      }
    }
  }
};

/// use(i, place) of the first k of a row of n, in order. `items` is scratch of n.
template <class X, class Use>
SINTER_FUNCTION void topkOfRow(const X *row, int64_t stride, int64_t n, int64_t k, bool largest, int64_t *items,
                               Use use) {
  if (k <= kFewKept && k <= n / 4) {
    FewInOrder<X> kept;
    kept.read(row, stride, n, k, largest);
    for (int64_t i = 0; i < k; ++i)
      use(i, kept.places[i]);
    return;
  }
  withRowOrder(row, stride, n, largest, [&](const auto &order) {
    const bool isFew = k <= n / 4 && n >= 128;
    if (isFew)
      keepFirst(row, stride, n, k, largest, items, order);
    else
      for (int64_t i = 0; i < n; ++i)
        items[i] = order.item(i);
    int64_t i = 0;
    const auto isBefore = [&](int64_t a, int64_t b) { return order.isBefore(a, b); };
    visitInOrder(items, isFew ? k : n, isBefore, [&](int64_t item) {
      use(i, order.place(item));
      return ++i < k;
    });
  });
}

/// What a row's elements are written to, whatever the rank.
template <class X, class Y>
struct TopkRow {
  const X *row;
  int64_t stride;
  Y *value;
  int64_t valueStride;
  int64_t *where;
  int64_t whereStride;
  int64_t *items; ///< scratch

  SINTER_INLINE_MEMBER void take(int64_t n, int64_t k, bool largest) const {
    topkOfRow(row, stride, n, k, largest, items, [this](int64_t i, int64_t place) {
      value[i * valueStride] = row[place * stride];
      where[i * whereStride] = place;
    });
  }
};

/// `order` is scratch, as long as the axis.
template <class X, class Y, int R>
SINTER_FUNCTION void topk(const TopkParams &p, const View<X, R> &x, const View<Y, R> &values,
                          const View<int64_t, R> &indices, const View<int64_t, 1> &order) {
  const int axis = int(p.axis);
  const int64_t n = x.sizes[axis], k = values.sizes[axis] < n ? values.sizes[axis] : n;
  if (k <= 0)
    return;
  forEachRow(x.sizes, axis, [&](const int64_t(&index)[R]) {
    TopkRow<X, Y>{x.data + placeOf(index, x.strides),
                  x.strides[axis],
                  values.data + placeOf(index, values.strides),
                  values.strides[axis],
                  indices.data + placeOf(index, indices.strides),
                  indices.strides[axis],
                  order.data}
        .take(n, k, p.largest);
  });
}

} // namespace
} // namespace sinter
