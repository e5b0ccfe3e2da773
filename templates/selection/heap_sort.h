// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting without recursion or extra memory: a heap, from which the first few can be taken alone. For total orders, so
// that the result is one.
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

/// Takes the last `count` in the order `before`, the very last first: visit(i, item). Reorders items.
template <class T, class Before, class Visit>
SINTER_FUNCTION void takeLast(T *items, int64_t n, int64_t count, Before before, Visit visit) {
  for (int64_t root = n / 2; root-- > 0;)
    siftDown(items, root, n, before);
  for (int64_t i = 0; i < count && n > 0; ++i) {
    visit(i, items[0]);
    items[0] = items[--n];
    if (n > 0)
      siftDown(items, 0, n, before);
  }
}

/// Takes from the last in the order `before` on, as long as visit(item) says so. Reorders items.
template <class T, class Before, class Visit>
SINTER_FUNCTION void takeLastWhile(T *items, int64_t n, Before before, Visit visit) {
  for (int64_t root = n / 2; root-- > 0;)
    siftDown(items, root, n, before);
  while (n > 0 && visit(items[0])) {
    items[0] = items[--n];
    if (n > 0)
      siftDown(items, 0, n, before);
  }
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
