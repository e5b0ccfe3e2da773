// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile.h"

#include <algorithm>

namespace sinter {

/// How many floats are as long.
static int floatsOf(mlir::Type sums) { return sums.getIntOrFloatBitWidth() == 64 ? 2 : 1; }

Tile tileFor(const Target &target) {
  int registers = target.vectorRegisters;
  if (registers == 0)
    return {4, 4};
  int lanes = target.lanes();
  int columns = registers == 32 && lanes == 4 && !target.fmaByLane ? 3 * lanes : 2 * lanes;
  return {rowsOfTile(target, columns), columns};
}

Tile tileFor(const Target &target, mlir::Type sums) {
  Tile tile = tileFor(target);
  return target.vectorRegisters == 0 ? tile : Tile{tile.rows, tile.columns / floatsOf(sums)};
}

int rowsOfTile(const Target &target, int64_t columns, mlir::Type sums) {
  return rowsOfTile(target, columns * floatsOf(sums));
}

int rowsOfTile(const Target &target, int64_t columns) {
  int registers = target.vectorRegisters;
  if (registers == 0)
    return 4;
  int vectors = std::max<int>(1, static_cast<int>(columns) / target.lanes());
  // Beside the sums these are live: a row of B and the next one, and a vector of each row of A; or a row of B and an
  // element.
  int rows = target.fmaByLane ? (registers - 2 * vectors) / (vectors + 1) : (registers - vectors - 1) / vectors;
  return std::clamp(rows, 1, 14);
}

int rowsOfMatrixTile(const Target &target, int64_t columns) {
  int vectors = std::max<int>(1, static_cast<int>(columns) / target.lanes());
  // Beside the sums these are live: two vectors of B, and a vector of each row of A. With fewer than four others,
  // compilers copy registers.
  int rows = (target.vectorRegisters - 6) / (vectors + 1);
  return std::clamp(rows / 2 * 2, 2, 12);
}

} // namespace sinter
