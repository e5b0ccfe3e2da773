// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a cumulative sum over items in order passes a number, without sorting them: top-k, top-p, typical sampling and
// the draw itself are this one question. Items are counted into bins of a coarse order, by blocks on vectors; those of
// the bin in question alone are looked at again, by the digits of their keys while they are many. A step over n items
// costs about n.
#pragma once

#include "runtime-lite/generation/few_by_mass.h"

namespace sinter {
namespace {

constexpr int kMassBins = 2048;
/// Bins of the coarse order. Neighbours in a block add to bins of their own (banks), so that none waits for the other.
constexpr int kCoarseBins = 512, kMassBanks = kMassBins / kCoarseBins;
constexpr int32_t kMassBlock = 64;
constexpr int32_t kFewItems = 128;

/// An item in the order of keys, then ids.
struct MassPlace {
  uint32_t key;
  int32_t id;
};
SINTER_INLINE bool isBehind(MassPlace a, MassPlace b) { return a.key != b.key ? a.key > b.key : a.id > b.id; }

/// key(id) is 32 bits, weight(id) a whole number; coarse(id) is below kCoarseBins, and rises where keys do, or stays.
/// Ids rise. `work` has room for all ids.
template <class Key, class Coarse, class Weight>
class MassSelect {
public:
  MassSelect(const int32_t *ids, int32_t count, uint64_t *bins, int32_t *work, Key key, Coarse coarse, Weight weight)
      : ids(ids), count(count), bins(bins), work(work), key(key), coarse(coarse), weight(weight) {
    if (count <= kFewItems)
      addFew();
    else
      addMany();
  }
  uint64_t total() const { return sum; }

  /// The first item up to and with which the sum is above `mass`, which is below the total. Call it once.
  MassPlace find(uint64_t mass) {
    if (count <= kFewItems)
      return placeOf(few.find(mass));
    int32_t n = collectBin(binOf(mass, kCoarseBins));
    if (n > kFewItems) {
      countDigits(n);
      n = collect(n, 21, binOf(mass, kMassBins), 10);
      n = collect(n, 10, binOf(mass, kMassBins), 0);
      n = collect(n, 0, binOf(mass, kMassBins), -1);
      int32_t i = 0;
      for (; i + 1 < n && weight(work[i]) <= mass; ++i)
        mass -= weight(work[i]);
      return {key(work[i]), work[i]};
    }
    few = {bins, bins + kFewItems, 0};
    for (int32_t i = 0; i < n; ++i)
      few.put(key(work[i]), work[i], weight(work[i]));
    return placeOf(few.find(mass));
  }

private:
  static MassPlace placeOf(uint64_t item) { return {uint32_t(item >> 32), int32_t(item & 0xffffffffu)}; }
  void addFew() {
    few = {bins, bins + kFewItems, 0};
    for (int32_t i = 0; i < count; ++i) {
      const uint64_t mass = weight(ids[i]);
      few.put(key(ids[i]), ids[i], mass);
      sum += mass;
    }
  }
  void addMany() {
    clear();
    int32_t begin = 0;
    for (; begin + kMassBlock <= count; begin += kMassBlock) {
      uint64_t masses[kMassBlock];
      uint32_t places[kMassBlock];
      for (int32_t i = 0; i < kMassBlock; ++i)
        masses[i] = weight(ids[begin + i]);
      for (int32_t i = 0; i < kMassBlock; ++i)
        places[i] = coarse(ids[begin + i]);
      for (int32_t i = 0; i < kMassBlock; ++i)
        bins[i % kMassBanks * kCoarseBins + int32_t(places[i])] += masses[i];
    }
    for (; begin < count; ++begin)
      bins[coarse(ids[begin])] += weight(ids[begin]);
    for (int bin = 0; bin < kCoarseBins; ++bin) {
      for (int bank = 1; bank < kMassBanks; ++bank)
        bins[bin] += bins[bank * kCoarseBins + bin];
      sum += bins[bin];
    }
  }
  void clear() {
    for (int bin = 0; bin < kMassBins; ++bin)
      bins[bin] = 0;
  }
  uint32_t binOf(uint64_t &mass, uint32_t most) const {
    uint32_t bin = 0;
    for (; bin + 1 < most && bins[bin] <= mass; ++bin)
      mass -= bins[bin];
    return bin;
  }
  int32_t collectBin(uint32_t bin) {
    int32_t kept = 0, begin = 0;
    for (; begin + kMassBlock <= count; begin += kMassBlock) {
      uint8_t isKept[kMassBlock];
      uint32_t any = 0;
      for (int32_t i = 0; i < kMassBlock; ++i) {
        isKept[i] = coarse(ids[begin + i]) == bin ? 1 : 0;
        any |= isKept[i];
      }
      if (!any)
        continue;
      for (int32_t i = 0; i < kMassBlock; ++i) {
        work[kept] = ids[begin + i];
        kept += isKept[i];
      }
    }
    for (; begin < count; ++begin)
      if (coarse(ids[begin]) == bin)
        work[kept++] = ids[begin];
    return kept;
  }
  uint32_t digitOf(uint32_t bits, int shift) const { return (bits >> shift) & (shift ? 2047u : 1023u); }
  void countDigits(int32_t n) {
    clear();
    for (int32_t i = 0; i < n; ++i)
      bins[digitOf(key(work[i]), 21)] += weight(work[i]);
  }
  /// Keeps the items whose digit at `shift` is this, and counts them by the one at `next`.
  int32_t collect(int32_t n, int shift, uint32_t digit, int next) {
    clear();
    int32_t kept = 0;
    for (int32_t i = 0; i < n; ++i) {
      const int32_t id = work[i];
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
  Coarse coarse;
  Weight weight;
  FewByMass few = {nullptr, nullptr, 0};
  uint64_t sum = 0;
};

} // namespace
} // namespace sinter
