// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic quantization: weights are int8, values become uint8 by their range in each call. No samples are needed.
#pragma once

#include "quantize/weights_only.h"

namespace sinter::quantize {

/// Each MatMul, Gemm and Conv with constant weights becomes DynamicQuantizeLinear, MatMulInteger or ConvInteger, and a
/// contraction with the scales.
std::vector<WeightReport> quantizeDynamically(GraphEdit &edit, bool perChannel);

} // namespace sinter::quantize
