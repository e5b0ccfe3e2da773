// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting without recursion or extra memory, by a heap: never slow, which quicksort falls back to (in_order.h). For
// total orders, so that the result is one.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// Moves items[root] down until no child comes after it.
template <class T, class Before>
SINTER_FUNCTION void siftDown(T *items, int64_t root, int64_t n, Before before) {
  const T moving = items[root];
  for (;;) {
    int64_t child = 2 * root + 1;
    if (child >= n)
      break;
    if (child + 1 < n && before(items[child], items[child + 1]))
      ++child;
    if (!before(moving, items[child]))
      break;
    items[root] = items[child];
    root = child;
  }
  items[root] = moving;
}

template <class T, class Before>
SINTER_FUNCTION void heapSort(T *items, int64_t n, Before before) {
  for (int64_t root = n / 2; root-- > 0;)
    siftDown(items, root, n, before);
  while (n > 1) {
    const T last = items[0];
    items[0] = items[--n];
    siftDown(items, 0, n, before);
    items[n] = last;
  }
}

} // namespace
} // namespace sinter
