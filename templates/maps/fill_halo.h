// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value for what lies around the part of a map that another kernel writes: the elements in front of that part, the
// gaps between its rows and what is behind it, a view each.
#pragma once

#include "runtime-lite/vec.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

template <int Rank, class T>
SINTER_INLINE void fillPart(T *to, T value, const int64_t *sizes, const int64_t *strides) {
  for (int64_t i = 0; i < *sizes; ++i)
    if constexpr (Rank == 1)
      to[i * *strides] = value;
    else
      fillPart<Rank - 1>(to + i * *strides, value, sizes + 1, strides + 1);
}

template <class Value, class T, int... Ranks>
SINTER_INLINE void fillHalo(Value value, const View<T, Ranks> &...parts) {
  T element;
  store(&element, value);
  (fillPart<Ranks>(parts.data, element, parts.sizes, parts.strides), ...);
}

} // namespace
} // namespace sinter
