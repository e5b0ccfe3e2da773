// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion as a pass, for sinter-opt: problems that the driver would print as diagnostics are printed to stderr.
#include "passes.h"

#include "ops/conversion.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sinter {

LogicalResult convertNodes(ModuleOp module) {
  Diagnostics diagnostics;
  LogicalResult converted = convertToTensorIR(module, diagnostics);
  diagnostics.print(llvm::errs(), "model");
  return converted;
}

} // namespace sinter
