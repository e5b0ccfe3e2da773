// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over all logits, on vectors: temperature, the greatest, whether any is no number, and the greatest of each
// chunk, by which the few that top-k keeps are found without looking at the others again.
#pragma once

#include "runtime-lite/generation/fixed_math.h"
#include "runtime-lite/generation/mass_select.h"
#include "runtime-lite/vec.h"

namespace sinter {
namespace {

constexpr int32_t kScanChunk = 64;

/// Rises as floats do, -0 and 0 alike.
SINTER_INLINE uint32_t orderOf(float x) {
  const uint32_t bits = bitsOfFloat(x + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

struct LogitScan {
  float greatest; // NaN if any is
  float *maxima;  // of chunks
  int32_t chunks;

  /// A number below which none of the k greatest is (k > 0), nor any of those that tie with them; the lowest finite one
  /// if there is no better. The k-th of the maxima: k chunks have one as great.
  float boundOfGreatest(int32_t k, int32_t *ids, uint64_t *bins, int32_t *work) const {
    constexpr float lowest = -3.402823466e38f;
    if (k <= 0 || k > chunks)
      return lowest;
    for (int32_t i = 0; i < chunks; ++i)
      ids[i] = i;
    const auto key = [this](int32_t i) { return ~orderOf(maxima[i]); };
    const auto coarse = [this](int32_t i) { return coarseOf(distanceBelow(greatest, maxima[i])); };
    const auto one = [](int32_t) { return uint64_t(1); };
    MassSelect<decltype(key), decltype(coarse), decltype(one)> select(ids, chunks, bins, work, key, coarse, one);
    const float bound = maxima[select.find(uint64_t(k - 1)).id];
    return bound > lowest ? bound : lowest;
  }
};

/// The greatest of up to a chunk of logits, which are divided in place.
template <class V>
SINTER_INLINE float scanChunk(float *logits, int32_t n, bool isDivided, float divisor) {
  V most = splat<V>(-static_cast<float>(SINTER_INFINITY));
  int32_t i = 0;
  for (; i + kLanesOf<V> <= n; i += kLanesOf<V>) {
    V x = load<V>(logits + i);
    if (isDivided) {
      x = x / divisor;
      store(logits + i, x);
    }
    most = max(most, x);
  }
  float greatest = maxOf(most);
  for (; i < n; ++i) {
    logits[i] = isDivided ? logits[i] / divisor : logits[i];
    greatest = max(greatest, logits[i]);
  }
  return greatest;
}

/// Divides by the temperature unless it is 1. `maxima` has room for a float per chunk.
SINTER_FUNCTION LogitScan scanLogits(float *logits, int32_t vocab, float temperature, float *maxima) {
  LogitScan scan = {-static_cast<float>(SINTER_INFINITY), maxima, 0};
  for (int32_t begin = 0; begin < vocab; begin += kScanChunk) {
    const int32_t n = vocab - begin < kScanChunk ? vocab - begin : kScanChunk;
    const float most = scanChunk<Vec<float, kLanes<float>>>(logits + begin, n, temperature != 1, temperature);
    maxima[scan.chunks++] = most;
    scan.greatest = max(scan.greatest, most);
  }
  return scan;
}

/// Of a whole chunk.
SINTER_INLINE bool areAllAsGreat(const float *logits, float least) {
  uint32_t less = 0;
  for (int32_t i = 0; i < kScanChunk; ++i)
    less += logits[i] >= least ? 0u : 1u;
  return !less;
}

/// The lowest id of the greatest.
SINTER_FUNCTION int32_t idOfGreatest(const LogitScan &scan, const float *logits, int32_t vocab) {
  int32_t chunk = 0;
  while (scan.maxima[chunk] != scan.greatest)
    ++chunk;
  int32_t id = chunk * kScanChunk;
  while (id + 1 < vocab && logits[id] != scan.greatest)
    ++id;
  return id;
}

} // namespace
} // namespace sinter
