// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that templates/dual/dual_tile.h, dual_matmul.h and dual_depthwise.h read: filters in pairs, what their sums
// start with, and what results go through.
#pragma once

#include "passes/quantized/support/rescaling.h"

namespace sinter {

/// What a filter's results go through, and what its sum starts with; without a rescaling the epilogue stays.
struct DualFilter {
  std::optional<Rescaling> rescaling;
  int64_t bias = 0;
  bool mayBeSecond = true; ///< its sums stay within 24 bits
};

struct DualWords {
  std::vector<int32_t> words;
  int64_t groups = 0, proved = 0;
};

/// As Rescale in templates/quantized/rescale.h reads it: the sign bit says that it is the definition's factor.
int32_t wordOf(const Rescaling &rescaling);

/// element(filter, i): the weight that meets element i of a pixel's steps, 2 * steps of them. `pairs` of filters to a
/// group. The order of words within a group is that of the steps, each with one word per pair.
DualWords packPairs(llvm::ArrayRef<DualFilter> filters, int64_t steps, int64_t pairs,
                    llvm::function_ref<int32_t(int64_t, int64_t)> element);

/// element(channel, row, tap) of three taps in `rows` rows.
DualWords packPlanes(llvm::ArrayRef<DualFilter> filters, int64_t rows,
                     llvm::function_ref<int32_t(int64_t, int64_t, int64_t)> element);

} // namespace sinter
