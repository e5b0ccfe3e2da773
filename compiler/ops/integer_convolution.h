// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution of int32 tensors (8-bit ones less their zero points) as one loop nest: exact.
#pragma once

#include "spatial.h"

namespace sinter {

/// x [n, c, ...], w [k, c / group, ...], both int32; windows as in spatial.h.
Tensor convolveIntegers(Op &op, Tensor x, Tensor w, const Window &window, int64_t group);

} // namespace sinter
