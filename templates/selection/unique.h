// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unique rows of x [n, m]: for each the place of its first appearance, in lexicographic order or in order of
// appearance; for each row of x the number of its unique row; how often each appears; and how many there are. Y is a
// gather of the first places.
#pragma once

#include "runtime-lite/view.h"
#include "templates/selection/in_order.h"
#include "templates/selection/row_order.h"

namespace sinter {
namespace {

struct UniqueParams {
  bool sorted;
};

/// Rows of more than one element, as row_order.h has those of one.
template <class X>
struct RowsByPlace {
  const View<const X, 2> &x;

  SINTER_INLINE_MEMBER int compare(int64_t a, int64_t b) const {
    const X *const rowA = x.data + a * x.strides[0], *const rowB = x.data + b * x.strides[0];
    for (int64_t j = 0; j < x.sizes[1]; ++j)
      if (const int c = compareElements(rowA[j * x.strides[1]], rowB[j * x.strides[1]]))
        return c;
    return 0;
  }
  SINTER_INLINE_MEMBER int64_t item(int64_t place) const { return place; }
  SINTER_INLINE_MEMBER int64_t place(int64_t item) const { return item; }
  SINTER_INLINE_MEMBER bool isBefore(int64_t a, int64_t b) const {
    const int c = compare(a, b);
    return c == 0 ? a < b : c < 0;
  }
  SINTER_INLINE_MEMBER bool areEqual(int64_t a, int64_t b) const { return compare(a, b) == 0; }
};

template <class X>
constexpr bool kIsWhole = !kSame<X, float> && !kSame<X, double> && !kIsHalf<X> && !kSame<X, sinter_string>;

/// Whole numbers that lie close together are counted, each in a place of its own. False where they lie further apart
/// than there are rows.
template <class X>
SINTER_FUNCTION bool countWholeNumbers(bool sorted, const View<const X, 2> &x, const View<int64_t, 1> &first,
                                       const View<int64_t, 1> &inverse, const View<int64_t, 1> &counts,
                                       const View<int64_t, 0> &count, const View<int64_t, 1> &order) {
  const int64_t n = x.sizes[0], step = x.strides[0];
  const auto at = [](const View<int64_t, 1> &y, int64_t i) -> int64_t & { return y.data[i * y.strides[0]]; };
  X least = n > 0 ? x.data[0] : X(0), most = least;
  for (int64_t i = 0; i < n; ++i) {
    const X number = x.data[i * step];
    least = number < least ? number : least;
    most = number > most ? number : most;
  }
  const uint64_t range = uint64_t(most) - uint64_t(least);
  if (n == 0 || range >= uint64_t(n))
    return false;
  const auto bin = [&](int64_t i) { return order.data + (uint64_t(x.data[i * step]) - uint64_t(least)); };
  for (int64_t k = 0; k <= int64_t(range); ++k)
    order.data[k] = 0;
  for (int64_t i = 0; i < n; ++i)
    ++*bin(i);
  int64_t found = 0;
  for (int64_t k = 0; k <= int64_t(range); ++k)
    if (const int64_t times = order.data[k]) {
      at(counts, found) = times;
      order.data[k] = found++;
    }
  *count.data = found;
  for (int64_t i = n - 1; i >= 0; --i) {
    at(inverse, i) = *bin(i);
    at(first, *bin(i)) = i;
  }
  for (int64_t i = 0; !sorted && i < n; ++i)
    at(inverse, i) = at(first, at(inverse, i));
  return true;
}

/// `order` is scratch of n.
template <class X>
SINTER_FUNCTION void unique(const UniqueParams &p, const View<const X, 2> &x, const View<int64_t, 1> &first,
                            const View<int64_t, 1> &inverse, const View<int64_t, 1> &counts,
                            const View<int64_t, 0> &count, const View<int64_t, 1> &order) {
  const int64_t n = x.sizes[0];
  const auto at = [](const View<int64_t, 1> &y, int64_t i) -> int64_t & { return y.data[i * y.strides[0]]; };
  const auto areSorted = [&](const auto &rows) {
    for (int64_t i = 0; i < n; ++i)
      order.data[i] = rows.item(i);
    // Equal rows come together, in order of place.
    int64_t found = 0, before = 0;
    visitInOrder(
        order.data, n, [&](int64_t a, int64_t b) { return rows.isBefore(a, b); },
        [&](int64_t item) {
          const int64_t row = rows.place(item);
          if (found == 0 || !rows.areEqual(before, item)) {
            at(first, found) = row;
            at(counts, found++) = 0;
          }
          at(inverse, row) = p.sorted ? found - 1 : at(first, found - 1);
          ++at(counts, found - 1);
          before = item;
          return true;
        });
    *count.data = found;
  };
  const auto areGrouped = [&] {
    if constexpr (kIsWhole<X>)
      if (x.sizes[1] == 1 && countWholeNumbers(p.sorted, x, first, inverse, counts, count, order))
        return;
    if (x.sizes[1] == 1)
      withRowOrder(x.data, x.strides[0], n, false, areSorted);
    else
      areSorted(RowsByPlace<X>{x});
  };
  areGrouped();
  if (p.sorted)
    return;
  // By first appearance: `inverse` has the first row of each, and `order` now the number given to a first row.
  int64_t found = 0;
  for (int64_t row = 0; row < n; ++row) {
    const int64_t firstRow = at(inverse, row);
    if (firstRow == row) {
      at(first, found) = row;
      at(counts, found) = 0;
      order.data[row] = found++;
    }
    at(inverse, row) = order.data[firstRow];
    ++at(counts, at(inverse, row));
  }
}

} // namespace
} // namespace sinter
