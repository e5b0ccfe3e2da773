// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sinter dialect's C++ side. Ops and their meaning: ops.td.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sinter {
using namespace mlir;
}

#include "dialect.h.inc"
#include "enums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "types.h.inc"
#define GET_ATTRDEF_CLASSES
#include "attributes.h.inc"
#define GET_OP_CLASSES
#include "ops.h.inc"

namespace sinter {
/// Models by which one-shot bufferization takes this dialect's destination-style ops.
void registerBufferizableModels(mlir::DialectRegistry &registry);
} // namespace sinter
