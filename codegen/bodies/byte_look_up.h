// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of bodies that are functions of one byte, from tables of 256 (passes/quantized/byte_tables.cpp): they are
// printed as such (templates/maps/look_up_bytes.h), so that lanes are bytes and not offsets.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace sinter {

/// The byte whose bits are where `load` reads a table of 256 bytes; none if it is anything else.
mlir::Value lookedUpByte(mlir::memref::LoadOp load);
/// Whether all that becomes of `op` is such a place.
bool isPlaceOfByte(mlir::Operation &op);

} // namespace sinter
