// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activation that a fused operator of com.microsoft names by string.
#pragma once

#include "lowering.h"

namespace sinter {

/// y after activation `name` (empty: none) with its parameters in the order of that operator's attributes.
mlir::FailureOr<Tensor> activated(Op &op, Tensor y, llvm::StringRef name, llvm::ArrayRef<double> parameters);

} // namespace sinter
