// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile of contractions on a target: as many accumulators as the register file holds.
#pragma once

#include "mlir/IR/Types.h"
#include "target/target.h"

namespace sinter {

struct Tile {
  int rows, columns;
};
/// For float; packed weights are laid out for `columns`.
Tile tileFor(const Target &target);
/// For sums of a type: those of 64 bits are half as many to a register.
Tile tileFor(const Target &target, mlir::Type sums);
/// Rows for a given number of columns of floats, or of `sums`.
int rowsOfTile(const Target &target, int64_t columns);
int rowsOfTile(const Target &target, int64_t columns, mlir::Type sums);
/// Rows, always pairs, for a number of columns of int32 that instructions for small matrices sum up.
int rowsOfMatrixTile(const Target &target, int64_t columns);

} // namespace sinter
