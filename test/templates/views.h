// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of test data.
#pragma once

#include "runtime-lite/view.h"

namespace sinter::test {

/// All of a tensor that lies in row-major order, `step` elements between neighbours of the last dim.
template <class T, int R>
View<T, R> spaced(T *data, int64_t step, const int64_t (&sizes)[R]) {
  View<T, R> view{data, {}, {}};
  for (int d = R; d-- > 0; step *= sizes[d])
    view.sizes[d] = sizes[d], view.strides[d] = step;
  return view;
}
template <class T, class... Sizes>
View<T, int(sizeof...(Sizes))> dense(T *data, Sizes... sizes) {
  return spaced(data, 1, {int64_t(sizes)...});
}

} // namespace sinter::test
