// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing for templates/dual/dual_winograd.h as compiler/kernels/dual/support/winograd_packing.cpp does it, small;
// see dual_reference.h.
#pragma once

#include "templates/dual/dual_winograd.h"

namespace sinter::test {

/// Element (i, j) of a filter of nine taps with G on both sides, G = [2 0 0; 1 1 1; 1 -1 1; 0 0 2].
template <class Tap>
int32_t transformedTap(Tap tap, int i, int j) {
  constexpr int32_t g[4][3] = {{2, 0, 0}, {1, 1, 1}, {1, -1, 1}, {0, 0, 2}};
  int32_t sum = 0;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      sum += g[i][y] * tap(y, x) * g[j][x];
  return sum;
}

/// Groups of four filters; factors, negative where they are the definition's, may be null. Gives how many groups there
/// are.
template <class Shape, class Weight>
int32_t packWinograd(Weight weight, const int32_t *bias, const int32_t *factors, int32_t *words) {
  int32_t groups = 0;
  for (int first = 0; first < Shape::filters; first += 4, ++groups) {
    const auto isThere = [&](int j) { return first + j < Shape::filters; };
    for (int j = 0; j < 4; ++j)
      *words++ = isThere(j) ? 4 * bias[first + j] : 0;
    for (int position = 0; position < 16; ++position)
      for (int step = 0; step < Shape::channels / 2; ++step)
        for (int j = 0; j < 4; ++j) {
          const auto at = [&](int c) {
            const auto tap = [&](int y, int x) { return weight(first + j, c, y, x); };
            return isThere(j) ? transformedTap(tap, position / 4, position % 4) : 0;
          };
          const int c = step / 2 * 4 + step % 2;
          *words++ = halves(at(c), at(c + 2));
        }
    for (int j = 0; j < 4 && factors; ++j)
      *words++ = isThere(j) ? factors[first + j] : 0;
    for (int j = 0; j < 4; j += 2)
      *words++ = halves(isThere(j) ? first + j : -1, isThere(j + 1) ? first + j + 1 : -1);
  }
  return groups;
}

} // namespace sinter::test
