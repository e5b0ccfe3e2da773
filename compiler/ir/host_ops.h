// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a program for a GPU: the ops of buffer IR that run on the host all the same. passes/buffers/place_on_host.cpp
// gives them memory that both reach, codegen/run waits for the GPU before it calls them.
#pragma once

#include "mlir/IR/Operation.h"

namespace sinter {

/// Why it runs on the host; empty: it does not.
llvm::StringRef reasonForHost(mlir::Operation *op);

} // namespace sinter
