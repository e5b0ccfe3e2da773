// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each element of x stands in a sorted list of keys: what encoders of labels and categories look their values up
// by. Numbers or strings, in the order of compare.h, in which NaN is a key like another.
#pragma once

#include "runtime-lite/view.h"
#include "templates/selection/compare.h"

namespace sinter {
namespace {

/// The number of the first key that is not less than `value`.
template <class X>
SINTER_FUNCTION int64_t lowerBound(const View<const X, 1> &keys, const X &value) {
  int64_t low = 0, high = keys.sizes[0];
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (compareElements(keys.data[middle * keys.strides[0]], value) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// places[i] is the number of x[i]'s key, and the number of all keys where it is none of them.
template <class X>
SINTER_FUNCTION void findKey(const View<const X, 1> &x, const View<const X, 1> &keys, const View<int64_t, 1> &places) {
  const int64_t count = keys.sizes[0];
  for (int64_t i = 0; i < places.sizes[0]; ++i) {
    const X &value = x.data[i * x.strides[0]];
    const int64_t place = lowerBound(keys, value);
    const bool isKey = place < count && compareElements(keys.data[place * keys.strides[0]], value) == 0;
    places.data[i * places.strides[0]] = isKey ? place : count;
  }
}

} // namespace
} // namespace sinter
