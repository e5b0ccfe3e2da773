// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unique rows of x [n, m]: for each the place of its first appearance, in lexicographic order or in order of
// appearance; for each row of x the number of its unique row; how often each appears; and how many there are. Y is a
// gather of the first places.
#pragma once

#include "runtime-lite/view.h"
#include "templates/selection/compare.h"
#include "templates/selection/heap_sort.h"

namespace sinter {
namespace {

struct UniqueParams {
  bool sorted;
};

/// `order` is scratch of n.
template <class X>
SINTER_FUNCTION void unique(const UniqueParams &p, const View<const X, 2> &x, const View<int64_t, 1> &first,
                            const View<int64_t, 1> &inverse, const View<int64_t, 1> &counts,
                            const View<int64_t, 0> &count, const View<int64_t, 1> &order) {
  const int64_t n = x.sizes[0];
  const auto element = [&](int64_t row, int64_t j) -> const X & {
    return x.data[row * x.strides[0] + j * x.strides[1]];
  };
  const auto at = [](const View<int64_t, 1> &y, int64_t i) -> int64_t & { return y.data[i * y.strides[0]]; };
  const auto compareRows = [&](int64_t a, int64_t b) {
    for (int64_t j = 0; j < x.sizes[1]; ++j)
      if (const int c = compareElements(element(a, j), element(b, j)))
        return c;
    return 0;
  };
  for (int64_t i = 0; i < n; ++i)
    order.data[i] = i;
  heapSort(order.data, n, [&](int64_t a, int64_t b) {
    const int c = compareRows(a, b);
    return c == 0 ? a < b : c < 0;
  });
  // Equal rows stand together, in order of place.
  int64_t found = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t row = order.data[i];
    if (i == 0 || compareRows(order.data[i - 1], row) != 0) {
      at(first, found) = row;
      at(counts, found++) = 0;
    }
    at(inverse, row) = p.sorted ? found - 1 : at(first, found - 1);
    ++at(counts, found - 1);
  }
  *count.data = found;
  if (p.sorted)
    return;
  // By first appearance: `inverse` has the first row of each, and `order` now the number given to a first row.
  found = 0;
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
