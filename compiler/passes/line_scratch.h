// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of scratch that the 8-bit kernels of small cores need, on buffers: templates/line_product.h,
// depthwise_lines.h, depthwise_columns.h.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// 0 for products of other kernels, and where inputs are read where they lie.
int64_t lineScratch(ConvOp op);
int64_t lineScratch(MatmulOp op);

/// Whether a product of lines reads any of them where they lie in the input; others are copied to scratch first.
bool readsLinesInPlace(ConvOp op);

/// The core that a target's int_kernels names, with its step (bytes that lines are filled up to) and header.
struct LineCore {
  llvm::StringRef type, header; ///< in generated code
  int64_t step, headerBytes;
  bool readsInPlace; ///< signed bytes
  bool isVector;     ///< weights in runs of a step
  int64_t (*runs)(int64_t kernelH, int64_t kernelW, int64_t channels, int64_t filters);
  int64_t (*count)(int64_t k, int64_t runs, bool isInPlace, int64_t pixels);
  int64_t (*pitch)(int64_t k, int64_t runs);
};
const LineCore *lineCore(llvm::StringRef kernels);

} // namespace sinter
