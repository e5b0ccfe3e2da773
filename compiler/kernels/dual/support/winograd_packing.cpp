// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters times G = [2 0 0; 1 1 1; 1 -1 1; 0 0 2] on both sides: at most 9 * 128, and with it sums are four times too
// large, to which biases are adapted.
#include "dual_packing.h"

#include "templates/dual/dual_mac.h"

using namespace mlir;

namespace sinter {
namespace {

/// Element (i, j) of the transformed filter.
int32_t transformed(int64_t i, int64_t j, function_ref<int32_t(int64_t, int64_t)> tap) {
  constexpr int32_t g[4][3] = {{2, 0, 0}, {1, 1, 1}, {1, -1, 1}, {0, 0, 2}};
  int32_t sum = 0;
  for (int64_t y = 0; y < 3; ++y)
    for (int64_t x = 0; x < 3; ++x)
      sum += g[i][y] * tap(y, x) * g[j][x];
  return sum;
}

} // namespace

DualWords packDualWinograd(const DualFilters &all, int64_t channels, ArrayRef<int8_t> weights) {
  DualWords out;
  ArrayRef<DualFilter> filters = all.each;
  auto count = static_cast<int64_t>(filters.size());
  auto tap = [&](int64_t f, int64_t c, int64_t y, int64_t x) -> int32_t {
    return weights[((f * channels + c) * 3 + y) * 3 + x];
  };
  auto push = [&](int64_t word) { out.words.push_back(static_cast<int32_t>(static_cast<uint32_t>(word))); };
  for (int64_t first = 0; first < count; first += 4, ++out.groups) {
    auto isThere = [&](int64_t j) { return first + j < count; };
    for (int64_t j = 0; j < 4; ++j)
      push(isThere(j) ? 4 * filters[first + j].bias : 0);
    for (int64_t position = 0; position < 16; ++position)
      for (int64_t step = 0; step < channels / 2; ++step)
        for (int64_t j = 0; j < 4; ++j) {
          auto at = [&](int64_t c) {
            auto own = [&](int64_t y, int64_t x) { return tap(first + j, c, y, x); };
            return isThere(j) ? transformed(position / 4, position % 4, own) : 0;
          };
          int64_t c = step / 2 * 4 + step % 2; // channels as one instruction widens bytes: 0 and 2, then 1 and 3
          push(halves(at(c), at(c + 2)));
        }
    for (int64_t j = 0; j < 4 && all.areRescaled; ++j)
      push(isThere(j) ? filters[first + j].factor : 0);
    for (int64_t j = 0; j < 4; j += 2)
      push(halves(static_cast<int32_t>(isThere(j) ? first + j : -1),
                  static_cast<int32_t>(isThere(j + 1) ? first + j + 1 : -1)));
  }
  for (const DualFilter &filter : filters)
    out.proved += all.areRescaled && filter.isProved;
  return out;
}

} // namespace sinter
