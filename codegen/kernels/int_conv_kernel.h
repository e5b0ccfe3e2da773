// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes whose constant operand compiler/passes/packing/support/pack_quads.cpp has packed, as calls of
// templates/int_*.h.
#pragma once

#include "dialect.h"
#include "kernel_list.h"

namespace sinter {

/// What conv_kernel.cpp has printed of a call: the sizes, the operands, and from the rows on the rest.
struct IntConvCall {
  Code shape, input, weights, output, rest;
  bool isDense;    ///< pixels of the input are adjacent
  int64_t columns; ///< of a panel
};
Printed printIntConv(ConvOp op, const Target &target, KernelFunction &function, const IntConvCall &call);

/// The type that says how the kernel of a product takes its activations: templates/quads/int_dot.h.
Code byteKind(mlir::Operation *product, bool isUnsigned);

} // namespace sinter
