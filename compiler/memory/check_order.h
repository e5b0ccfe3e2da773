// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what writes over a buffer that it reads is always behind its own reads: by running it on the bytes. It knows
// what kernels promise (kernels/kernel_order.h), and nothing of row_order.h and loop_order.h, which decide.
#pragma once

#include "check_places.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sinter {

/// An op that goes through rows, with one thread, pixels or elements (kernels/kernel_order.h, loop nests): what it
/// writes of place `output` is never a byte of place `input` that it reads later.
bool isBehindReads(mlir::Operation *op, ArenaPlaces &places, unsigned input, unsigned output);

/// The same of all ops of the loop's body, over all iterations. Both places are from outside of the loop.
bool isBehindReads(mlir::scf::ForOp loop, ArenaPlaces &places, unsigned input, unsigned output);

} // namespace sinter
