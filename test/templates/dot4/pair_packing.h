// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights for kernels that add pairs (templates/dot4/weight_pairs.h), made of those of packDot4.
#pragma once

#include "packing.h"
#include "templates/dot4/weight_pairs.h"
#include <doctest/doctest.h>

#include <string.h>

namespace sinter::test {

/// Weights of packDot4 with small pairs, and `extras` fours behind each panel's `fours`, as
/// compiler/interpreter/kernels/pack_pairs.cpp makes it; place(four) tells where a panel's bytes are multiplied.
template <class Place>
std::vector<int8_t> packPairs(const std::vector<int8_t> &packed, int64_t fours, int64_t extras, Place place) {
  const int64_t perFour = kNR * 4;
  std::vector<int8_t> out;
  for (size_t at = 0; at < packed.size(); at += size_t(fours * perFour)) {
    std::vector<int8_t> panel(packed.begin() + long(at), packed.begin() + long(at) + fours * perFour);
    std::vector<int8_t> behind(size_t(foursBehind(extras, kNR) * perFour), 0);
    int64_t used = 0;
    for (int64_t q = 0; q < fours; ++q) {
      bool isExtra = false;
      for (int64_t i = q * perFour; i < (q + 1) * perFour; i += 2)
        if (!isSmallPair(panel[size_t(i)], panel[size_t(i + 1)])) {
          isExtra = true;
          for (const int64_t each : {i, i + 1}) {
            const int half = panel[size_t(each)] / 2;
            behind[size_t(used * perFour + each % perFour)] = int8_t(panel[size_t(each)] - half);
            panel[size_t(each)] = int8_t(half);
          }
        }
      if (isExtra) {
        const int32_t where = packedPlace(place(q));
        memcpy(&behind[size_t(extras * perFour + used * 4)], &where, sizeof(where));
        ++used;
      }
    }
    REQUIRE(used <= extras);
    out.insert(out.end(), panel.begin(), panel.end());
    out.insert(out.end(), behind.begin(), behind.end());
  }
  return out;
}

} // namespace sinter::test
