// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two figures that no plan of the same buffers goes below, for the report.
#pragma once

#include "check_places.h"

namespace sinter {

/// Attributes of the function, of what the host's arenas hold: `sinter.needed_bytes`, the most bytes in use at one op,
/// and `sinter.graph_bytes`, the most that the tensors between kernels have at one op, each for itself and without
/// scratch. Where there are more arenas, each gets its own `needed`.
void noteNeededBytes(mlir::func::FuncOp function, ArenaPlaces &places, int64_t alignment);

} // namespace sinter
