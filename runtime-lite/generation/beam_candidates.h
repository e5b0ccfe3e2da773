// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best continuations of all beams: a short list in falling order of score, ties by beam, then id.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

struct BeamCandidate {
  float score;
  int32_t beam, id;
};

class BeamCandidates {
public:
  BeamCandidates(BeamCandidate *list, int32_t capacity) : list(list), capacity(capacity) {}

  /// Takes a row's continuations, which come in rising order of beam and id.
  void add(const float *row, int32_t vocab, int32_t beam, float base) {
    for (int32_t id = 0; id < vocab; ++id) {
      const float score = row[id] + base;
      if (count == capacity && !(score > list[count - 1].score))
        continue;
      int32_t at = count < capacity ? count++ : count - 1;
      for (; at > 0 && score > list[at - 1].score; --at)
        list[at] = list[at - 1];
      list[at] = {score, beam, id};
    }
  }
  /// Takes what a list holds, in any order: it comes in falling order of score, and of equal ones as it stood.
  void order(int32_t n) {
    for (count = 0; count < n; ++count) {
      const BeamCandidate one = list[count];
      int32_t at = count;
      for (; at > 0 && one.score > list[at - 1].score; --at)
        list[at] = list[at - 1];
      list[at] = one;
    }
  }
  int32_t size() const { return count; }
  const BeamCandidate &operator[](int32_t i) const { return list[i]; }

private:
  BeamCandidate *list;
  int32_t capacity, count = 0;
};

} // namespace
} // namespace sinter
