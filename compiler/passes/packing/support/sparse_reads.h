// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of which loop nests read single elements by index, as embeddings are looked up.
#pragma once

#include "mlir/IR/Value.h"

namespace sinter {

/// Whether a tensor is read element by element alone, and not much more often than it has elements.
bool isReadSparsely(mlir::Value tensor);
/// Whether an op reads elements of it so, as some of all its readers may.
bool isElementRead(mlir::Operation *reader);

} // namespace sinter
