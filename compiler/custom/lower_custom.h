// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node of a custom operator becomes sinter.kernel with the user's function.
#pragma once

#include "custom/custom_operator.h"
#include "ops/lowering.h"

namespace sinter {

mlir::LogicalResult lowerCustom(const CustomOperator &custom, Op &op);

} // namespace sinter
