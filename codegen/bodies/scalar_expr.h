// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One scalar operation -> one C++ expression, read from scalar_ops.def and ir/scalar_functions.def.
#pragma once

#include "codegen/text/code.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace sinter {

struct ScalarText {
  PrintedCode text;
  llvm::SmallVector<llvm::StringRef, 2> headers; ///< what it needs beside runtime-lite/scalar.h
};

/// The expression for `op`, whose result has the C++ type `resultType`; nothing for an operation that is in neither
/// list.
std::optional<ScalarText> scalarText(mlir::Operation *op, llvm::ArrayRef<PrintedCode> operands,
                                     const PrintedCode &resultType);
/// Whether scalarText knows it.
bool isScalarOp(mlir::Operation *op);

/// A constant of valueText's type.
PrintedCode constantText(mlir::Attribute value, mlir::Type type);

} // namespace sinter
