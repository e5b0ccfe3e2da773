// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers as a function of a seed and of the element's place (SplitMix64), so that draws are elementwise, need
// no state and are the same on every target. A call repeats the draws of the call before: generated code has no source
// of entropy.
#pragma once

#include "lowering.h"

namespace sinter {

/// The node's seed: its attribute, or a number made from its name.
uint64_t seedOf(Op &op);

/// Uniform in [0, 1) for the element at `coordinates` of a tensor of these sizes, as type's compute form (float or
/// double). Inside a body; `stream` tells several draws of one element apart.
mlir::Value uniformAt(const Scalars &s, uint64_t seed, llvm::ArrayRef<Size> sizes, mlir::ValueRange coordinates,
                      uint64_t stream = 0);
/// The same with a seed that a call gives, an i64.
mlir::Value uniformAt(const Scalars &s, mlir::Value seed, llvm::ArrayRef<Size> sizes, mlir::ValueRange coordinates);

} // namespace sinter
