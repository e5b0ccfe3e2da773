// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The halo of a map, part after part; all threads of the grid take elements of each in turns.
#pragma once

#include "templates/cuda/element_index.h"
#include "templates/maps/fill_halo.h"

namespace sinter {
namespace {

template <class T, int R>
SINTER_DEVICE void fillInTurns(int64_t warp, int64_t warps, T element, const View<T, R> &part) {
  int64_t index[R] = {};
  for (int64_t i = warp * cuda::kWarp + cuda::laneIndex(); cuda::indexOf(i, part.sizes, index);
       i += warps * cuda::kWarp)
    part.data[placeOf(index, part.strides)] = element;
}

/// `warp`: the number of this one, of `warps`.
template <class Value, class T, int... Ranks>
SINTER_DEVICE void fillHaloLines(int64_t warp, int64_t warps, Value value, const View<T, Ranks> &...parts) {
  T element;
  store(&element, value);
  (fillInTurns(warp, warps, element, parts), ...);
}

} // namespace
} // namespace sinter
