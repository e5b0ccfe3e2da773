// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quantized average over whole feature maps as a running sum and what is made of it at the end, so that the map need
// not be there at once.
#pragma once

#include "mlir/IR/Block.h"

namespace sinter {

/// Of what: as the kernel has them, with the same result to the last bit; of integers, with one factor at the end,
/// where the kernel has floats; or of integers where it is rare (poolsAgree) that a float's rounding decides on the
/// result.
enum class PoolSums { Defined, Integers, IntegersIfClose };

/// Splits all such pools of the block. Integers: a result may be a step off where the mean falls on a half.
void splitWholePools(mlir::Block &block, PoolSums sums);

} // namespace sinter
