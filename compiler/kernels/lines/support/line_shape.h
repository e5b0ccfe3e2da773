// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on buffers as templates/lines/ sees them.
#pragma once

#include "ir/dialect.h"
#include "kernels/kernel.h"
#include "kernels/lines/support/line_core.h"

namespace sinter {

struct LineShape {
  int64_t channels, taps, kernelH, kernelW, runs;
  int64_t width, height; ///< of the output; a very large number where it is not known
};
LineShape lineShapeOf(ConvOp op);

/// Whether any lines are read where they lie in the input; else all are copied to scratch first.
bool readsLinesInPlace(ConvOp op, const LineCore &core);

/// `settle` where the operand is packed and the target has a core.
template <class Product>
KernelAttr asPackedLines(Product op, llvm::StringRef name, const Target &target, llvm::StringRef &whyNot) {
  if (lineCore(target))
    return asPacked(op, name, whyNot);
  whyNot = "no core for lines";
  return {};
}

} // namespace sinter
