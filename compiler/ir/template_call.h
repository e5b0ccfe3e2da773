// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that are calls of a template of their own, as generated code and the interpreter make them: sinter.kernel, which
// names it, and sinter.pool, whose kind and layout name it.
#pragma once

#include "dialect.h"

namespace sinter {

/// `name(params, inputs..., inits...)`: templates/<room>/<name>.h says what it computes.
struct TemplateCall {
  std::string name;
  llvm::SmallVector<mlir::Value> inputs, inits;
  mlir::DictionaryAttr params;
  std::string signedness; ///< per operand, inputs first, "u" where integers are unsigned; "s" may be left out

  bool isUnsigned(size_t operand) const { return operand < signedness.size() && signedness[operand] == 'u'; }
};

/// Nothing for other ops.
std::optional<TemplateCall> templateCallOf(mlir::Operation *op);

} // namespace sinter
