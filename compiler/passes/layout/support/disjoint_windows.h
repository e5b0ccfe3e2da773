// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transposed convolution whose windows do not overlap makes each output of one element of each channel: it is a
// convolution of single taps, with as many filters for each of its own as the filter has taps, and a shuffle.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// Rewrites `conv`, if it is one: it reads `insert`, zeros between the elements of a map. Where its filters fill
/// vectors the kernel that leaves such zeros out is faster (spread_inputs.h). Says whether it did.
bool shuffleDisjointWindows(ConvOp conv, mlir::tensor::InsertSliceOp insert, const Target &target);

} // namespace sinter
