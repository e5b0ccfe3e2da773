// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tokens are kept for a draw: temperature, top-k, top-p, min-p, typical, epsilon, eta, by transformers' formulas
// and in its order. Candidates are ids in rising order; each step leaves some of them. "Before" means a greater logit,
// or of equal ones the lower id.
#pragma once

#include "runtime-lite/generation/fixed_math.h"
#include "runtime-lite/generation/mass_select.h"
#include "runtime-lite/generation/sampler_types.h"

namespace sinter {
namespace {

/// Rises as floats do, -0 and 0 alike.
SINTER_INLINE uint32_t orderOf(float x) {
  const uint32_t bits = bitsOfFloat(x + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

struct Candidates {
  const float *logits;
  int32_t *ids;
  int32_t count;
  float greatest;
  uint64_t *bins; // scratch of MassSelect
  int32_t *work;

  /// Rises as logits fall, from 0.
  uint32_t key(int32_t id) const { return orderOf(greatest) - orderOf(logits[id]); }
  uint32_t distance(int32_t id) const { return distanceBelow(greatest, logits[id]); }
  uint64_t weight(int32_t id) const { return weightOf(distance(id)); }

  template <class Weight>
  auto inOrder(Weight weight) const {
    const auto keyOf = [this](int32_t id) { return key(id); };
    return MassSelect<decltype(keyOf), Weight>(ids, count, bins, work, keyOf, weight);
  }
  auto byWeight() const {
    return inOrder([this](int32_t id) { return weight(id); });
  }
  /// The n-th of them, or the last.
  MassPlace place(int32_t n) const {
    return inOrder([](int32_t) { return uint64_t(1); }).find(uint64_t((n < count ? n : count) - 1));
  }
  template <class Keep>
  void keep(Keep isKept) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
      const int32_t id = ids[i];
      ids[kept] = id;
      kept += isKept(id) ? 1 : 0;
    }
    count = kept;
  }
};

/// All logits that are not -inf.
SINTER_FUNCTION Candidates allCandidates(const float *logits, int32_t vocab, int32_t *ids, uint64_t *bins,
                                         int32_t *work) {
  Candidates all = {logits, ids, 0, -static_cast<float>(SINTER_INFINITY), bins, work};
  for (int32_t id = 0; id < vocab; ++id) {
    ids[all.count] = id;
    all.count += logits[id] > -static_cast<float>(SINTER_INFINITY) ? 1 : 0;
    all.greatest = logits[id] > all.greatest ? logits[id] : all.greatest;
  }
  return all;
}

/// Those that tie with the k-th stay.
SINTER_FUNCTION void keepTopK(Candidates &c, int32_t k) {
  if (k >= c.count)
    return;
  const uint32_t last = c.place(k).key;
  c.keep([&](int32_t id) { return c.key(id) <= last; });
}

/// The fewest whose probabilities add up to p.
SINTER_FUNCTION void keepTopP(Candidates &c, float p, int32_t least) {
  auto select = c.byWeight();
  MassPlace last = select.find(shareOf(p, select.total()) - 1);
  if (least > 1) {
    const MassPlace other = c.place(least);
    last = isBehind(other, last) ? other : last;
  }
  c.keep([&](int32_t id) { return !isBehind({c.key(id), id}, last); });
}

/// Those no further than a distance from the greatest, and at least so many.
SINTER_FUNCTION void keepNear(Candidates &c, int64_t distance, int32_t least) {
  const uint32_t last = least > 1 ? c.place(least).key : 0;
  c.keep([&](int32_t id) { return int64_t(c.distance(id)) <= distance || c.key(id) <= last; });
}

struct Entropy {
  int64_t lnTotal;      // -ln p is this plus the distance
  int64_t meanDistance; // and the entropy is this plus the mean distance
};
SINTER_FUNCTION Entropy entropyOf(const Candidates &c) {
  uint64_t total = 0, sum = 0;
  for (int32_t i = 0; i < c.count; ++i) {
    const uint64_t distance = c.distance(c.ids[i]), weight = weightOf(uint32_t(distance));
    total += weight;
    sum += (weight * ((distance + 32) >> 6)) >> (kDistanceBits - 6); // below exp(-1) in all
  }
  uint64_t mean = sum / total, rest = sum % total;
  for (int bit = 0; bit < kDistanceBits; ++bit) {
    rest *= 2;
    mean = mean * 2 + (rest >= total ? 1 : 0);
    rest -= rest >= total ? total : 0;
  }
  return {lnFixed(total, kWeightBits), int64_t(mean)};
}

/// Those whose surprise is nearest to the entropy, until their probabilities add up to `mass`.
SINTER_FUNCTION void keepTypical(Candidates &c, float mass, int32_t least) {
  const int64_t mean = entropyOf(c).meanDistance;
  const auto shifted = [&](int32_t id) {
    const int64_t off = int64_t(c.distance(id)) - mean;
    return uint32_t(off < 0 ? -off : off);
  };
  const auto weight = [&](int32_t id) { return c.weight(id); };
  MassSelect<decltype(shifted), decltype(weight)> select(c.ids, c.count, c.bins, c.work, shifted, weight);
  MassPlace last = {select.find(shareOf(mass, select.total()) - 1).key, 0x7fffffff}; // and those that tie with it
  if (least > 1) {
    const auto one = [](int32_t) { return uint64_t(1); };
    MassSelect<decltype(shifted), decltype(one)> count(c.ids, c.count, c.bins, c.work, shifted, one);
    const MassPlace other = count.find(uint64_t((least < c.count ? least : c.count) - 1));
    last = isBehind(other, last) ? other : last;
  }
  c.keep([&](int32_t id) { return !isBehind({shifted(id), id}, last); });
}

/// Divides all logits.
SINTER_FUNCTION void applyTemperature(float *logits, int32_t vocab, float temperature) {
  for (int32_t id = 0; id < vocab; ++id)
    logits[id] /= temperature;
}

/// All of them but temperature.
SINTER_FUNCTION void warp(Candidates &c, const sinter_sampler &s) {
  const int32_t least = s.min_tokens_to_keep > 1 ? s.min_tokens_to_keep : 1;
  if (s.top_k)
    keepTopK(c, s.top_k > least ? s.top_k : least);
  if (s.top_p > 0 && s.top_p < 1)
    keepTopP(c, s.top_p, least);
  if (s.min_p > 0)
    keepNear(c, minusLn(s.min_p), least);
  if (s.typical_p > 0 && s.typical_p < 1)
    keepTypical(c, s.typical_p, least);
  if (s.epsilon_cutoff > 0 && s.epsilon_cutoff < 1)
    keepNear(c, minusLn(s.epsilon_cutoff) - entropyOf(c).lnTotal, least);
  if (s.eta_cutoff > 0 && s.eta_cutoff < 1) {
    // p < min(eta, sqrt(eta) exp(-entropy)), both sides as distances
    const Entropy e = entropyOf(c);
    const int64_t plain = minusLn(s.eta_cutoff) - e.lnTotal, scaled = minusLn(s.eta_cutoff) / 2 + e.meanDistance;
    keepNear(c, plain > scaled ? plain : scaled, least);
  }
}

/// One of the candidates by its probability: the first whose cumulative sum is above random / 2^64 of all.
SINTER_FUNCTION int32_t draw(const Candidates &c, uint64_t random) {
  auto select = c.byWeight();
  return select.find(multiplyHigh(random, select.total())).id;
}

} // namespace
} // namespace sinter
