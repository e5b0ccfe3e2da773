// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An Einsum equation taken apart: labels of each operand and of the result, ellipses replaced by labels of their own.
#pragma once

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// Letters are labels as they are; dim i of an ellipsis, counted from its end, is label -1 - i.
using Labels = llvm::SmallVector<int>;

struct EinsumEquation {
  std::vector<Labels> operands;
  Labels result;
};

/// Null with `problem` set when the equation does not fit operands of these ranks.
std::optional<EinsumEquation> parseEinsum(llvm::StringRef equation, llvm::ArrayRef<int64_t> ranks,
                                          std::string &problem);

} // namespace sinter
