// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

#include "mlir/Transforms/Passes.h"

void sinter::registerPasses() { mlir::registerTransformsPasses(); }
