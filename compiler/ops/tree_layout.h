// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees as the kernel tree_ensemble walks them: nodes of one form in an order that suits a walk.
#pragma once

#include "trees.h"

namespace sinter {

struct TreeLayout {
  llvm::SmallVector<int32_t> links;     ///< per node its column of keys and its first child; a leaf is its own child
  llvm::SmallVector<int64_t> threshold; ///< per node: keys above it go to the second child
  llvm::SmallVector<int32_t> roots;     ///< per tree its node, and the steps to the nearest and to the farthest leaf
  llvm::SmallVector<int32_t> leaves;    ///< per node the leaf of `Trees` that it is, or -1
  int64_t columns = 0; ///< the features; as many again, where NaN is below all numbers, if some node wants that
};

TreeLayout layoutOf(const Trees &trees, int64_t features, bool isDouble);

} // namespace sinter
