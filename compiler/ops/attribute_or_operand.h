// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers that older versions of an operator take as an attribute and newer ones as an operand (axes, pads, split,
// ...).
#pragma once

#include "lowering.h"

namespace sinter {

/// The attribute if the node has it, else operand `i`, whose contents must be known; nothing when neither is given.
/// Fails with a diagnostic.
mlir::FailureOr<std::optional<llvm::SmallVector<int64_t>>> integersFrom(const Op &op, llvm::StringRef name, unsigned i);
/// The same for values that may depend on run-time data.
mlir::FailureOr<std::optional<Sizes>> sizesFrom(const Op &op, llvm::StringRef name, unsigned i);

} // namespace sinter
