// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op will be launched, as far as that is known before the plan of memory.
#pragma once

#include "ir/dialect.h"
#include "kernels/contraction_call.h"
#include "target/target.h"

namespace sinter {

struct GridOf {
  int64_t x = 1, y = 1, threads = 256;
  std::string tile; ///< of contractions, kernel and tile: ops that agree in it give equal threads equal places
};

/// Of contractions with known sizes that compute tiles, of fills and loop nests that compute something but no sums;
/// nothing for others, and for what takes the grid's third dim.
std::optional<GridOf> gridOf(mlir::Operation *op, const Target &target);

} // namespace sinter
