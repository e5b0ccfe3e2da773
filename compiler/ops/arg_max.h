// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of the best element of each line along an axis: ArgMax, ArgMin, and what chooses by them.
#pragma once

#include "lowering.h"

namespace sinter {

/// x without the dim `axis`, int64: the first place (for OrEqual: the last) whose element no other beats. A NaN beats
/// every number; of a line without elements it is 0.
Tensor placeOfBest(const Op &op, Tensor x, int64_t axis, Compare better);

} // namespace sinter
