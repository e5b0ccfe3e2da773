// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that select: the best element so far and the index where it stands (ArgMax, ArgMin). Parts of the dim may
// be folded apart, if what each has found is then looked at in the parts' order.
#pragma once

#include "nest.h"

namespace sinter {

/// Whether the nest's only reduction is such a fold: of its two outputs the second is the index of the element that the
/// first is.
bool isSelectionFold(const Nest &nest);

} // namespace sinter
