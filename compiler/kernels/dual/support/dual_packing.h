// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that templates/dual/dual_tile.h, dual_matmul.h, dual_depthwise.h and dual_winograd.h read: filters in
// pairs, what their sums start with, and what results go through. The interpreter makes them when weights are written
// (interpreter/kernels/pack_dual_*.cpp); choosing a kernel makes them once more, for what depends on the pairs.
#pragma once

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace sinter {

/// What a filter's results go through, and what its sum starts with.
struct DualFilter {
  int64_t bias = 0;
  int32_t factor = 0;      ///< as Rescale in templates/quantized/rescale.h reads it, where there is one
  bool isProved = false;   ///< the factor is proved to be exact
  bool mayBeSecond = true; ///< its sums stay within 24 bits
};

struct DualFilters {
  std::vector<DualFilter> each;
  bool areRescaled = false; ///< they have factors; else the epilogue stays

  /// As four numbers a filter, which an attribute holds.
  std::vector<int32_t> table() const;
  static DualFilters ofTable(llvm::ArrayRef<int32_t> table, bool areRescaled);
};

struct DualWords {
  std::vector<int32_t> words;
  int64_t groups = 0, proved = 0;

  int64_t perGroup() const { return static_cast<int64_t>(words.size()) / groups; }
};

/// Where a weight stands in the steps of a pixel: [kernelH][kernelW * lineChannels, filled up to whole steps], of a
/// filter [channels, kernelH, kernelW].
struct DualSteps {
  int64_t kernelH = 1, kernelW = 1, channels, lineChannels;
  bool byFours; ///< bytes 0 and 2 of four become one word, 1 and 3 the next

  int64_t run() const { return (kernelW * lineChannels + 1) / 2; } ///< steps of a row
  int64_t steps() const { return kernelH * run(); }
  /// The weight that meets element i of 2 * steps; -1: none.
  int64_t weightAt(int64_t i) const;
};

/// `weights`: those of a filter lie behind each other. `pairs` of filters to a group. The order of words within a group
/// is that of the steps, each with one word per pair.
DualWords packDualPairs(const DualFilters &filters, const DualSteps &steps, int64_t pairs,
                        llvm::ArrayRef<int8_t> weights);

/// weights [channel][row][3].
DualWords packDualPlanes(const DualFilters &filters, int64_t rows, llvm::ArrayRef<int8_t> weights);

/// weights [filter][channel][3][3]; `channels` is a multiple of 4.
DualWords packDualWinograd(const DualFilters &filters, int64_t channels, llvm::ArrayRef<int8_t> weights);

} // namespace sinter
