// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps of com.microsoft.nchwc: the size of their blocks, and whether elements of one lie in blocks here too. They do
// where another operator than those of single elements meets the map, such as the Reshape to five dims that a product
// with one number for each channel stands between; elsewhere a map is plain [N, C, H, W], and nothing is moved.
#pragma once

#include "ops/lowering.h"

namespace sinter {

/// 8 or 16 channels, as the machine has it that the model was optimized on: what the model's nodes tell, or what the
/// user states (--nchwc-block); reported where neither does, or where what is stated does not fit.
mlir::FailureOr<int64_t> nchwcBlock(const Op &op);
/// Operand `i`, a map, as [N, C, H, W]; reported where its channels are not whole blocks.
mlir::FailureOr<Tensor> plainMap(const Op &op, unsigned i, int64_t block);
/// y [N, C, H, W] as the node's result, which has its elements in blocks if others read them.
Tensor resultMap(const Op &op, Tensor y, int64_t block);

} // namespace sinter
