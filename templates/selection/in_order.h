// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first few of many items in order, and all of them: quicksort, whose partitions have no branches that data decide,
// and which goes on only as far as it is asked. For total orders, so that the result is one. Without recursion.
#pragma once

#include "templates/selection/heap_sort.h"

namespace sinter {
namespace {

/// So few items are sorted by insertion.
constexpr int64_t kFewItems = 12;

template <class T, class Before>
SINTER_FUNCTION void sortFew(T *items, int64_t n, Before before) {
  for (int64_t i = 1; i < n; ++i) {
    const T moving = items[i];
    int64_t to = i;
    for (; to > 0 && before(moving, items[to - 1]); --to)
      items[to] = items[to - 1];
    items[to] = moving;
  }
}

/// The place of the one in the middle of three.
template <class T, class Before>
SINTER_FUNCTION int64_t middleOf(const T *items, int64_t a, int64_t b, int64_t c, Before before) {
  if (before(items[b], items[a])) {
    const int64_t other = a;
    a = b;
    b = other;
  }
  return before(items[c], items[a]) ? a : before(items[c], items[b]) ? c : b;
}

/// Parts more than kFewItems items around one of them, whose place afterwards it returns: what comes before it stands
/// before it.
template <class T, class Before>
SINTER_FUNCTION int64_t partition(T *items, int64_t n, Before before) {
  const int64_t step = n / 8, half = n / 2, last = n - 1;
  int64_t middle;
  if (n < 128)
    middle = middleOf(items, 0, half, last, before);
  else
    middle = middleOf(items, middleOf(items, 0, step, 2 * step, before),
                      middleOf(items, half - step, half, half + step, before),
                      middleOf(items, last - 2 * step, last - step, last, before), before);
  const T pivot = items[middle];
  items[middle] = items[last];
  int64_t front = 0;
  for (int64_t i = 0; i < last; ++i) {
    const T item = items[i];
    items[i] = items[front];
    items[front] = item;
    front += int64_t(before(item, pivot));
  }
  items[last] = items[front];
  items[front] = pivot;
  return front;
}

/// What partitions of n items may cost altogether, in items; beyond that they have met an order that is bad for them,
/// and heaps go on.
SINTER_FUNCTION int64_t partitionsOf(int64_t n) {
  int64_t levels = 4;
  for (int64_t rest = n; rest > 1; rest /= 2)
    levels += 2;
  return n * levels;
}

/// visit(item) of each in order, as long as it says so. Reorders items.
template <class T, class Before, class Visit>
SINTER_FUNCTION void visitInOrder(T *items, int64_t n, Before before, Visit visit) {
  constexpr int most = 40;
  int64_t ends[most]; // of what is to be sorted later, the next last; a pivot stands before each
  int waiting = 0;
  int64_t allowed = partitionsOf(n);
  for (int64_t first = 0, end = n;;) {
    while (end - first > kFewItems && allowed > 0 && waiting < most) {
      allowed -= end - first;
      ends[waiting++] = end;
      end = first + partition(items + first, end - first, before);
    }
    if (end - first > kFewItems)
      heapSort(items + first, end - first, before);
    else
      sortFew(items + first, end - first, before);
    for (; first < end; ++first)
      if (!visit(items[first]))
        return;
    if (waiting == 0)
      return;
    if (!visit(items[first++])) // the pivot
      return;
    end = ends[--waiting];
  }
}

/// Moves the first k of n to the front, 0 < k < n, the last of them to items[k - 1].
template <class T, class Before>
SINTER_FUNCTION void moveFirst(T *items, int64_t n, int64_t k, Before before) {
  int64_t allowed = partitionsOf(n), first = 0, end = n;
  while (end - first > kFewItems && allowed > 0) {
    allowed -= end - first;
    const int64_t pivot = first + partition(items + first, end - first, before);
    if (pivot == k - 1)
      return;
    if (pivot < k - 1)
      first = pivot + 1;
    else
      end = pivot;
  }
  if (end - first > kFewItems)
    heapSort(items + first, end - first, before);
  else
    sortFew(items + first, end - first, before);
}

} // namespace
} // namespace sinter
