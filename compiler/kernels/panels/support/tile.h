// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile of contractions on a target: as many accumulators as the register file holds.
#pragma once

#include "target/target.h"

namespace sinter {

struct Tile {
  int rows, columns;
};
/// For float; packed weights are laid out for `columns`.
Tile tileFor(const Target &target);
/// Rows for a given number of columns.
int rowsOfTile(const Target &target, int64_t columns);

} // namespace sinter
