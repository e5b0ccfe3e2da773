// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dim of a nest runs in vector lanes, if any.
#pragma once

#include "nest.h"

namespace sinter {

/// Sets the nest's lane members.
void chooseLanes(Nest &nest, const Values &values, int vectorBytes);

/// How far an index of the body moves per step of dim `lane`; nothing if that is not a constant distance.
std::optional<SizeExpr> laneStep(mlir::Value index, const Nest &nest, int lane,
                                 const llvm::DenseMap<mlir::Value, uint64_t> &dims);

} // namespace sinter
