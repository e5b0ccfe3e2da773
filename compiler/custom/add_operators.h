// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom operators become known: a schema that nodes are checked against, a rule, and a lowering to a call of the
// user's function.
#pragma once

#include "custom/custom_operator.h"

#include "llvm/Support/Error.h"

namespace sinter {

/// All that were added so far, for as long as the program lives.
const std::vector<const CustomOperator *> &customOperators();
/// Adds one, before a model is read. The error says what it is at odds with among those that are known.
llvm::Error addCustomOperator(CustomOperator custom);

} // namespace sinter
