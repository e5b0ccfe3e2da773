// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quantized average over whole feature maps as a running sum and what is made of it at the end, so that the map need
// not be there at once.
#pragma once

#include "mlir/IR/Block.h"

namespace sinter {

/// Splits all such pools of the block. The result is the same to the last bit: the same additions in the same order.
void splitWholePools(mlir::Block &block);

} // namespace sinter
