// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile.h"

#include <algorithm>

namespace sinter {

Tile tileFor(const Target &target) {
  int registers = target.vectorRegisters;
  if (registers == 0)
    return {4, 4};
  int lanes = target.vectorBytes / 4;
  int columns = registers == 32 && lanes == 4 ? 3 * lanes : 2 * lanes;
  return {rowsOfTile(target, columns), columns};
}

int rowsOfTile(const Target &target, int64_t columns) {
  int registers = target.vectorRegisters;
  if (registers == 0)
    return 4;
  int vectors = std::max<int>(1, static_cast<int>(columns) / (target.vectorBytes / 4));
  // Beside the accumulators one row of B and one element of A are live.
  return std::clamp((registers - vectors - 1) / vectors, 1, 14);
}

} // namespace sinter
