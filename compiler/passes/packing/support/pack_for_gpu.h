// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant operands in the order that the kernels of GPUs read (compiler/kernels/cuda):
//   matmul for the matrix unit, and of few rows  [k, n]  -> its transpose, [n, k]  as the op can say it
//   conv of pixels or planes   [k, c, taps...] -> [k, taps..., c]                  kernel "simt_conv" or "tile_conv"
//   depthwise of pixels        [k, 1, taps...] -> [taps..., k]                     kernel "depthwise_strip"
#pragma once

#include "builders/tensors.h"
#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// `op`'s right-hand side is constant.
void packForGpu(MatmulOp op, const Target &target);
/// `op`'s filter is constant, with one or two spatial dims.
void packForGpu(ConvOp op, const Target &target);
/// The same with `filter` for it; false where it stays as it is.
bool packFilterForGpu(ConvOp op, Tensor filter, const Target &target);

} // namespace sinter
