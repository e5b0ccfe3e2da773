// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Continuations of all beams that are drawn instead of found: one behind the other by their probabilities, none twice.
// As for a single text, probabilities are whole numbers and random numbers are those of a place, so that one seed gives
// one text everywhere.
#pragma once

#include "runtime-lite/generation/bans.h"
#include "runtime-lite/generation/beam_candidates.h"
#include "runtime-lite/generation/fixed_math.h"
#include "runtime-lite/generation/philox.h"

namespace sinter {
namespace {

constexpr int kBeamRowBits = 10; // so many bits of rows' sums are left out, so that 2^10 of them can be added

/// Rows of scores, one per beam, to which those of the beams' texts are added. Rows are changed.
struct BeamDraws {
  float *rows;
  const float *scores;
  int32_t rowCount, vocab;
  uint64_t *sums; // scratch, one per row

  float *row(int32_t beam) const { return rows + int64_t(beam) * vocab; }
  float greatest() const {
    float most = kForbidden;
    for (int32_t beam = 0; beam < rowCount; ++beam)
      for (int32_t id = 0; id < vocab; ++id)
        most = row(beam)[id] + scores[beam] > most ? row(beam)[id] + scores[beam] : most;
    return most;
  }

  /// As many as there is room for, in the order in which they are drawn; where fewer are possible, of the others the
  /// best.
  void draw(BeamCandidate *list, int32_t capacity, uint64_t seed, int32_t position) const {
    const float most = greatest();
    for (int32_t beam = 0; beam < rowCount; ++beam) {
      sums[beam] = 0;
      for (int32_t id = 0; id < vocab; ++id)
        sums[beam] += weight(most, beam, id);
    }
    int32_t drawn = 0;
    for (uint64_t all = total(); drawn < capacity && all; all = total()) {
      const uint64_t place = uint64_t(position) | uint64_t(drawn) << 33;
      const int32_t beam = rowAt(multiplyHigh(randomAt(seed, 0, place, DrawFor::beam), all));
      const uint64_t mass = multiplyHigh(randomAt(seed, 0, place | uint64_t(1) << 32, DrawFor::beam), sums[beam]);
      const int32_t id = idAt(most, beam, mass);
      sums[beam] -= weight(most, beam, id);
      list[drawn++] = {row(beam)[id] + scores[beam], beam, id};
      row(beam)[id] = kForbidden;
    }
    BeamCandidates others(list + drawn, capacity - drawn);
    for (int32_t beam = 0; beam < rowCount && drawn < capacity; ++beam)
      others.add(row(beam), vocab, beam, scores[beam]);
  }

private:
  uint64_t weight(float most, int32_t beam, int32_t id) const {
    return weightOf(distanceBelow(most, row(beam)[id] + scores[beam]));
  }
  uint64_t total() const {
    uint64_t all = 0;
    for (int32_t beam = 0; beam < rowCount; ++beam)
      all += sums[beam] >> kBeamRowBits;
    return all;
  }
  /// Where the sum passes the mass, which is below all of it.
  int32_t rowAt(uint64_t mass) const {
    int32_t beam = 0;
    for (; beam + 1 < rowCount && mass >= sums[beam] >> kBeamRowBits; ++beam)
      mass -= sums[beam] >> kBeamRowBits;
    return beam;
  }
  int32_t idAt(float most, int32_t beam, uint64_t mass) const {
    int32_t id = 0;
    for (uint64_t w = weight(most, beam, 0); id + 1 < vocab && mass >= w; w = weight(most, beam, ++id))
      mass -= w;
    return id;
  }
};

} // namespace
} // namespace sinter
