// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes that are told apart two by two: which of them wins most often. Pairs are in the order (0, 1), (0, 2), ...,
// (1, 2), ...
#pragma once

#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// A score above 0 is a vote for the first class of its pair, another one for the second. Of classes with as many votes
/// the first wins. `votes` is scratch, one per class.
template <class T>
SINTER_FUNCTION void pairwiseVotes(const View<const T, 2> &scores, const View<int64_t, 1> &winner,
                                   const View<int64_t, 1> &votes) {
  const int64_t classes = votes.sizes[0];
  for (int64_t row = 0; row < winner.sizes[0]; ++row) {
    const T *score = scores.data + row * scores.strides[0];
    for (int64_t c = 0; c < classes; ++c)
      votes.data[c] = 0;
    for (int64_t i = 0; i < classes; ++i)
      for (int64_t j = i + 1; j < classes; ++j) {
        ++votes.data[*score > T(0) ? i : j];
        score += scores.strides[1];
      }
    int64_t best = 0;
    for (int64_t c = 1; c < classes; ++c)
      if (votes.data[c] > votes.data[best])
        best = c;
    winner.data[row * winner.strides[0]] = best;
  }
}

} // namespace
} // namespace sinter
