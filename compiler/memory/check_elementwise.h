// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For check.cpp: ops that read each element before they write it, so that a result may lie over an operand. How an op
// goes along rows: check_order.h.
#pragma once

#include "check_places.h"

namespace sinter {

/// All operands of `op` in the bytes of these two places start at the same one, have elements of one width, and are
/// indexed alike. Of a contraction, that is what its epilogue reads.
bool isElementwise(mlir::Operation *op, ArenaPlaces &places, unsigned input, unsigned output);

} // namespace sinter
