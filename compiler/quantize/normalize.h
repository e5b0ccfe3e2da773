// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comes before quantization and changes no result: constants in one place, BatchNormalization in the weights
// before it, factors of Gemm in its operands.
#pragma once

#include "quantize/graph_edit.h"

namespace sinter::quantize {

/// Constant nodes that hold a tensor, and Identity of an initializer, become initializers.
void collectConstants(GraphEdit &edit);

/// BatchNormalization behind a Conv, ConvTranspose or Gemm with constant weights goes into these. How many did.
int foldBatchNorms(GraphEdit &edit);

/// alpha and beta of a Gemm with constant operands go into these.
void foldGemmFactors(GraphEdit &edit);

} // namespace sinter::quantize
