// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on buffers as templates/im2col/ sees them.
#pragma once

#include "ir/dialect.h"
#include "kernels/im2col/support/im2col_core.h"
#include "kernels/kernel.h"

namespace sinter {

struct Im2colShape {
  int64_t channels, taps, kernelH, kernelW, runs;
  int64_t width, height; ///< of the output; a very large number where it is not known
};
Im2colShape im2colShapeOf(ConvOp op);

/// Whether any rows are read where they lie in the input; else all are copied to scratch first.
bool readsRowsInPlace(ConvOp op, const Im2colCore &core);

/// `settle` where the operand is packed and the target has a core.
template <class Contraction>
KernelAttr asPackedIm2col(Contraction op, llvm::StringRef name, const Target &target, llvm::StringRef &whyNot) {
  if (im2colCore(target))
    return asPacked(op, name, whyNot);
  whyNot = "no core for im2col rows";
  return {};
}

} // namespace sinter
