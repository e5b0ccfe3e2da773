// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ONNX nodes an operation stems from: locations carry their names through all passes.
#pragma once

#include "mlir/IR/Location.h"
#include <string>

namespace sinter {
/// A name as reports have it: in one line.
std::string lineOfName(llvm::StringRef name);

/// Names in order of appearance, each once, separated by newlines (which a name itself loses).
std::string nodeNames(mlir::Location location);
} // namespace sinter
