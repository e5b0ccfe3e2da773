// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ONNX does not allow and onnxruntime runs: read with a note, refused with --strict.
#pragma once

#include "lowering.h"

namespace sinter {

/// On the function of a model that is converted with --strict.
constexpr llvm::StringLiteral strictAttribute = "sinter.strict";

/// A note of `what` is not allowed and of how it is read; with --strict a problem, and failure.
mlir::LogicalResult lenient(const Op &op, const llvm::Twine &what, const llvm::Twine &reading, const llvm::Twine &hint);

} // namespace sinter
