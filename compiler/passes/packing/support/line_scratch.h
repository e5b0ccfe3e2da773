// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of scratch that the 8-bit kernels of small cores need, on buffers: templates/lines/line_product.h,
// depthwise_lines.h, depthwise_columns.h.
#pragma once

#include "ir/dialect.h"
#include "kernels/lines/line_core.h"

namespace sinter {

/// `core`: the target's, if it has one. 0 for products of other kernels, and where inputs are read where they lie.
int64_t lineScratch(ConvOp op, const LineCore *core);
int64_t lineScratch(MatmulOp op, const LineCore *core);

/// Whether a product of lines reads any of them where they lie in the input; others are copied to scratch first.
bool readsLinesInPlace(ConvOp op, const LineCore *core);

} // namespace sinter
