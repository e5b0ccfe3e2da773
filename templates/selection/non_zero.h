// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NonZero: coordinates of the elements that are not zero (of strings: not empty), one column each, in row-major order;
// `count` says how many columns.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/types.h"
#include "runtime-lite/view.h"
#include "templates/loops/index_walk.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

template <class X>
SINTER_FUNCTION bool isNonZero(const X &x) {
  if constexpr (kSame<X, sinter_string>)
    return x.size != 0;
  else
    return convert<bool>(x);
}

template <class X, int R>
SINTER_FUNCTION void nonZero(const View<X, R> &x, const View<int64_t, 2> &places, const View<int64_t, 0> &count) {
  int64_t found = 0;
  forEachRow(x.sizes, -1, [&](const int64_t(&index)[R]) {
    if (!isNonZero(x.data[placeOf(index, x.strides)]))
      return;
    for (int d = 0; d < R; ++d)
      places.data[d * places.strides[0] + found * places.strides[1]] = index[d];
    ++found;
  });
  *count.data = found;
}

} // namespace
} // namespace sinter
