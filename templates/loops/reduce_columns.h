// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduceColumns<T, kColumns>(rows, value, neutral, merge, results): merges each of few columns of rows that lie behind
// each other. Lanes go over as many whole rows as a vector holds, whose columns meet at the end: a vector of one row
// would be mostly empty. The order is stated: four accumulators take such parts in turn, are merged pairwise, then
// their rows in order, then the rows that are left over.
#pragma once

#include "templates/loops/reduce_lanes.h"

namespace sinter {
namespace {

/// `value(tag, i)` is the i-th element of all rows, or a vector of them from there on. T: the widest type that `value`
/// computes in; A: the accumulator's.
template <class T, int kColumns, class A, class Value, class Merge>
SINTER_INLINE void reduceColumns(int64_t rows, Value value, A neutral, Merge merge, A (&results)[kColumns]) {
  constexpr int lanes = kLanes<T>, step = lanes / kColumns * kColumns;
  const int64_t count = rows * kColumns;
  int64_t i = 0;
  for (int c = 0; c < kColumns; ++c)
    results[c] = neutral;
  if constexpr (step > 0) {
    using Many = Tag<Vec<T, lanes>>;
    const auto start = splat<Vec<A, lanes>>(neutral);
    auto s0 = start, s1 = start, s2 = start, s3 = start;
    for (; i + 3 * step + lanes <= count; i += 4 * step) {
      s0 = merge(s0, value(Many{}, i));
      s1 = merge(s1, value(Many{}, i + step));
      s2 = merge(s2, value(Many{}, i + 2 * step));
      s3 = merge(s3, value(Many{}, i + 3 * step));
    }
    for (; i + lanes <= count; i += step)
      s0 = merge(s0, value(Many{}, i));
    s0 = merge(merge(s0, s1), merge(s2, s3));
    A each[lanes];
    memcpy(&each, &s0, sizeof(each));
    for (int lane = 0; lane < step; ++lane)
      results[lane % kColumns] = merge(results[lane % kColumns], each[lane]);
  }
  for (; i < count; i += kColumns)
    for (int c = 0; c < kColumns; ++c)
      results[c] = merge(results[c], value(Tag<T>{}, i + c));
}

} // namespace
} // namespace sinter
