// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tokens are kept for a draw: temperature, top-k, top-p, min-p, typical, epsilon, eta, by transformers' formulas
// and in its order. Candidates are ids in rising order; each step leaves some of them. "Before" means a greater logit,
// or of equal ones the lower id.
#pragma once

#include "runtime-lite/generation/fixed_math.h"
#include "runtime-lite/generation/logit_scan.h"
#include "runtime-lite/generation/mass_select.h"
#include "runtime-lite/generation/sampler_types.h"

namespace sinter {
namespace {

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
    const auto coarse = [this](int32_t id) { return coarseOf(distance(id)); };
    return MassSelect<decltype(keyOf), decltype(coarse), Weight>(ids, count, bins, work, keyOf, coarse, weight);
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

/// The logits that are not -inf, or if only the k greatest and their ties are asked for (k > 0), a few more than these.
SINTER_FUNCTION Candidates allCandidates(const float *logits, int32_t vocab, const LogitScan &scan, int32_t k,
                                         int32_t *ids, uint64_t *bins, int32_t *work) {
  Candidates all = {logits, ids, 0, scan.greatest, bins, work};
  const float least = scan.boundOfGreatest(k, ids, bins, work);
  for (int32_t chunk = 0; chunk < scan.chunks; ++chunk) {
    if (scan.maxima[chunk] < least)
      continue;
    const int32_t begin = chunk * kScanChunk, end = begin + kScanChunk < vocab ? begin + kScanChunk : vocab;
    if (end - begin == kScanChunk && areAllAsGreat(logits + begin, least)) {
      for (int32_t i = 0; i < kScanChunk; ++i)
        ids[all.count + i] = begin + i;
      all.count += kScanChunk;
      continue;
    }
    for (int32_t id = begin; id < end; ++id) {
      ids[all.count] = id;
      all.count += logits[id] >= least ? 1 : 0;
    }
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

enum class Ties { cut, kept };

/// Those no further than a distance from the greatest, and at least so many; of what ties with the last of these, all
/// or the lower ids.
SINTER_FUNCTION void keepNear(Candidates &c, int64_t distance, int32_t least, Ties ties) {
  MassPlace last = least > 1 ? c.place(least) : MassPlace{0, 0x7fffffff};
  if (ties == Ties::kept)
    last.id = 0x7fffffff;
  const double most = double(distance) * (1.0 / (1 << kDistanceBits));
  c.keep([&](int32_t id) {
    return double(c.greatest) - double(c.logits[id]) <= most || !isBehind({c.key(id), id}, last);
  });
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
  const float mean = float(entropyOf(c).meanDistance) * (1.0f / (1 << kDistanceBits));
  const auto shifted = [&](int32_t id) { // floats above 0 rise as their bits do
    return bitsOfFloat(c.greatest - c.logits[id] - mean) & 0x7fffffffu;
  };
  const auto coarse = [&](int32_t id) { return coarseOf(distanceBelow(floatOfBits(shifted(id)), 0)); };
  const auto weight = [&](int32_t id) { return c.weight(id); };
  MassSelect<decltype(shifted), decltype(coarse), decltype(weight)> select(c.ids, c.count, c.bins, c.work, shifted,
                                                                           coarse, weight);
  MassPlace last = {select.find(shareOf(mass, select.total()) - 1).key, 0x7fffffff}; // and those that tie with it
  if (least > 1) {
    const auto one = [](int32_t) { return uint64_t(1); };
    MassSelect<decltype(shifted), decltype(coarse), decltype(one)> count(c.ids, c.count, c.bins, c.work, shifted,
                                                                         coarse, one);
    const MassPlace other = count.find(uint64_t((least < c.count ? least : c.count) - 1));
    last = isBehind(other, last) ? other : last;
  }
  c.keep([&](int32_t id) { return !isBehind({shifted(id), id}, last); });
  c.greatest = c.logits[c.ids[0]]; // the likeliest may be gone
  for (int32_t i = 1; i < c.count; ++i)
    c.greatest = c.logits[c.ids[i]] > c.greatest ? c.logits[c.ids[i]] : c.greatest;
}

/// All of them but temperature.
SINTER_FUNCTION void warp(Candidates &c, const sinter_sampler &s) {
  const int32_t least = s.min_tokens_to_keep > 1 ? s.min_tokens_to_keep : 1;
  if (s.top_k)
    keepTopK(c, s.top_k > least ? s.top_k : least);
  if (s.top_p > 0 && s.top_p < 1)
    keepTopP(c, s.top_p, least);
  if (s.min_p > 0)
    keepNear(c, minusLn(s.min_p), least, Ties::cut);
  if (s.typical_p > 0 && s.typical_p < 1)
    keepTypical(c, s.typical_p, least);
  if (s.epsilon_cutoff > 0 && s.epsilon_cutoff < 1)
    keepNear(c, minusLn(s.epsilon_cutoff) - entropyOf(c).lnTotal, least, Ties::kept);
  if (s.eta_cutoff > 0 && s.eta_cutoff < 1) {
    // p < min(eta, sqrt(eta) exp(-entropy)), both sides as distances
    const Entropy e = entropyOf(c);
    const int64_t plain = minusLn(s.eta_cutoff) - e.lnTotal, scaled = minusLn(s.eta_cutoff) / 2 + e.meanDistance;
    keepNear(c, plain > scaled ? plain : scaled, least, Ties::kept);
  }
}

/// One of the candidates by its probability: the first whose cumulative sum is above random / 2^64 of all.
SINTER_FUNCTION int32_t draw(const Candidates &c, uint64_t random) {
  auto select = c.byWeight();
  return select.find(multiplyHigh(random, select.total())).id;
}

} // namespace
} // namespace sinter
