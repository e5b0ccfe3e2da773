// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a cumulative sum over a few items passes a number: by halves around a middle item, without sorting. Clearing
// bins for some forty items would cost more than this does.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// Items by (key, id), which differ from each other, with what each adds to the sum. Both arrays are the caller's.
struct FewByMass {
  uint64_t *order;  // key << 32 | id
  uint64_t *masses; // of the same items
  int32_t count;

  void put(uint32_t key, int32_t id, uint64_t mass) {
    order[count] = uint64_t(key) << 32 | uint32_t(id);
    masses[count++] = mass;
  }

  /// The first item in order up to and with which the sum is above `mass`, or the last item. Moves items about.
  uint64_t find(uint64_t mass) {
    int32_t begin = 0, end = count;
    while (end - begin > 1) {
      const uint64_t middle = middleOf(order[begin], order[begin + (end - begin) / 2], order[end - 1]);
      uint64_t sum = 0;
      int32_t at = begin; // those before the middle item are moved to the front
      for (int32_t i = begin; i < end; ++i) {
        const uint64_t item = order[i], add = masses[i];
        const bool isBefore = item < middle;
        order[i] = order[at];
        masses[i] = masses[at];
        order[at] = item;
        masses[at] = add;
        sum += isBefore ? add : 0;
        at += isBefore ? 1 : 0;
      }
      if (mass < sum) {
        end = at;
        continue;
      }
      mass -= sum;
      begin = at;
      const int32_t i = placeOf(middle, begin, end);
      if (masses[i] > mass || end - begin == 1)
        return middle;
      mass -= masses[i];
      swap(i, begin++);
    }
    return order[begin];
  }

private:
  static uint64_t middleOf(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
  }
  int32_t placeOf(uint64_t item, int32_t begin, int32_t end) const {
    int32_t i = begin;
    while (i + 1 < end && order[i] != item)
      ++i;
    return i;
  }
  void swap(int32_t i, int32_t j) {
    const uint64_t item = order[i], mass = masses[i];
    order[i] = order[j];
    masses[i] = masses[j];
    order[j] = item;
    masses[j] = mass;
  }
};

} // namespace
} // namespace sinter
