// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products of a module, for passes that rewrite them one by one.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// Its convolutions and matrix products, in program order.
llvm::SmallVector<mlir::Operation *> productsOf(mlir::ModuleOp module);

} // namespace sinter
