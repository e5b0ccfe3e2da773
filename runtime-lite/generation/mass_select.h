// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a cumulative sum over items in order passes a number, without sorting them: top-k, top-p, typical sampling and
// the draw itself are this one question. Items are counted into bins by the first digits of their keys, and only those
// of the bin in question are looked at again: a step over n items costs about n.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

constexpr int kMassBins = 2048;

/// An item in the order of keys, then ids.
struct MassPlace {
  uint32_t key;
  int32_t id;
};
SINTER_INLINE bool isBehind(MassPlace a, MassPlace b) { return a.key != b.key ? a.key > b.key : a.id > b.id; }

/// key(id) is 32 bits, weight(id) a whole number; ids rise. `work` has room for all ids.
template <class Key, class Weight>
class MassSelect {
public:
  MassSelect(const int32_t *ids, int32_t count, uint64_t *bins, int32_t *work, Key key, Weight weight)
      : ids(ids), count(count), bins(bins), work(work), key(key), weight(weight) {
    clear();
    for (int32_t i = 0; i < count; ++i)
      bins[key(ids[i]) >> 21] += weight(ids[i]);
    for (int bin = 0; bin < kMassBins; ++bin)
      sum += bins[bin];
  }
  uint64_t total() const { return sum; }

  /// The first item up to and with which the sum is above `mass`, which is below the total. Call it once.
  MassPlace find(uint64_t mass) {
    int32_t n = collect(ids, count, 21, binOf(mass), 10);
    n = collect(work, n, 10, binOf(mass), 0);
    n = collect(work, n, 0, binOf(mass), -1);
    int32_t i = 0;
    for (; i + 1 < n && weight(work[i]) <= mass; ++i)
      mass -= weight(work[i]);
    return {key(work[i]), work[i]};
  }

private:
  void clear() {
    for (int bin = 0; bin < kMassBins; ++bin)
      bins[bin] = 0;
  }
  uint32_t binOf(uint64_t &mass) const {
    uint32_t bin = 0;
    for (; bin + 1 < kMassBins && bins[bin] <= mass; ++bin)
      mass -= bins[bin];
    return bin;
  }
  uint32_t digitOf(uint32_t bits, int shift) const { return (bits >> shift) & (shift ? 2047u : 1023u); }
  /// Keeps the items whose digit at `shift` is this, and counts them by the one at `next`.
  int32_t collect(const int32_t *from, int32_t n, int shift, uint32_t digit, int next) {
    clear();
    int32_t kept = 0;
    for (int32_t i = 0; i < n; ++i) {
      const int32_t id = from[i];
      const uint32_t k = key(id);
      if (digitOf(k, shift) != digit)
        continue;
      work[kept++] = id;
      if (next >= 0)
        bins[digitOf(k, next)] += weight(id);
    }
    return kept;
  }

  const int32_t *ids;
  int32_t count;
  uint64_t *bins;
  int32_t *work;
  Key key;
  Weight weight;
  uint64_t sum = 0;
};

} // namespace
} // namespace sinter
