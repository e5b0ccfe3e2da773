// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many extra fours panels of weights need for pairs of theirs to be small (templates/dot4/weight_pairs.h): what
// pack_dot4.cpp chooses the panel's width by.
#pragma once

#include "builders/tensors.h"
#include "interpreter/interpreter.h"

namespace sinter {

/// The runs of bytes that one output reads: rows of so many, each of `length`.
struct RunsOfWindow {
  int64_t rows, columns, length;
};

/// Columns in a panel, the extra fours of each panel where its pairs are to be small, and whether sums are made in tile
/// registers.
struct PanelChoice {
  int64_t columns = 0;
  std::optional<int64_t> extras;
  bool inTiles = false;
};

/// Which fours of which filters have a pair that is not small.
struct LargePairs {
  int64_t groups, filters, fours;
  std::vector<bool> isLarge; ///< [groups][filters][fours]

  /// The most extra fours of a panel of so many columns.
  int64_t mostOfPanel(int64_t columns) const;
};

/// Of weights [groups, n, runs, length]; nothing where they are not known, or no place can be told.
std::optional<LargePairs> largePairsOf(Tensor weights, const RunsOfWindow &runs, EvaluationCache &cache);

} // namespace sinter
