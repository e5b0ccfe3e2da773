// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights that share a scale, as one run of elements. In memory they lie apart where the scales belong to the last dim:
// then neighbouring groups are gathered together, so that memory is read along its lines.
#pragma once

#include "quantize/tensors.h"

#include <algorithm>
#include <vector>

namespace sinter::quantize {

/// Columns of a matrix: group g has the elements begin + row * stride + g * width + (0 to width - 1) of each row.
struct WeightGroups {
  size_t begin, rows, stride, width, count;
};

/// The elements of each channel of a tensor.
WeightGroups channelGroups(const Axis &axis);

/// Calls visit(values, integers) for each group in order: its values row by row, and as many integers, which it fills
/// and which then lie in `integers` as the values do in `weights`.
template <class Visit>
void forEachGroup(llvm::ArrayRef<float> weights, llvm::MutableArrayRef<int8_t> integers, const WeightGroups &groups,
                  Visit visit) {
  constexpr size_t elementsOfLine = 16;
  if (groups.rows == 1) {
    for (size_t g = 0; g < groups.count; ++g) {
      size_t at = groups.begin + g * groups.width;
      visit(weights.slice(at, groups.width), integers.slice(at, groups.width));
    }
    return;
  }
  size_t size = groups.rows * groups.width, together = std::max<size_t>(1, elementsOfLine / groups.width);
  size_t pitch = size + elementsOfLine; // no power of two, of which caches hold few
  std::vector<float> values(pitch * together);
  std::vector<int8_t> filled(pitch * together);
  auto forEachPart = [&](size_t first, size_t count, auto move) { // of rows of `count` groups from `first` on
    for (size_t row = 0; row < groups.rows; ++row)
      for (size_t g = 0; g < count; ++g)
        move(groups.begin + row * groups.stride + (first + g) * groups.width, g * pitch + row * groups.width);
  };
  auto copy = [&](const auto *from, auto *to) {
    if (groups.width == 1)
      *to = *from;
    else
      std::copy_n(from, groups.width, to);
  };
  for (size_t first = 0, count; first < groups.count; first += count) {
    count = std::min(together, groups.count - first);
    forEachPart(first, count, [&](size_t outside, size_t inside) { copy(&weights[outside], &values[inside]); });
    for (size_t g = 0; g < count; ++g)
      visit(llvm::ArrayRef(values).slice(g * pitch, size), llvm::MutableArrayRef(filled).slice(g * pitch, size));
    forEachPart(first, count, [&](size_t outside, size_t inside) { copy(&filled[inside], &integers[outside]); });
  }
}

} // namespace sinter::quantize
