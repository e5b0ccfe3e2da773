// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quantized average over whole feature maps as a running sum and what is made of it at the end, so that the map need
// not be there at once.
#pragma once

#include "mlir/IR/Block.h"

namespace sinter {

/// Splits all such pools of the block. The result is the same to the last bit: the same additions in the same order.
/// `inIntegers`: sums of integers and one factor where the kernel sums up floats, for cores without an FPU; a result
/// may then be a step off where the mean falls on a half.
void splitWholePools(mlir::Block &block, bool inIntegers = false);

} // namespace sinter
