// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A segment of a chain as a loop over stripes of rows.
#pragma once

#include "stripe_choice.h"

namespace sinter {

/// Replaces the steps of the segment by one scf.for, which computes each row of each step once: a step's last rows that
/// later stripes read stay in its window. `why`: for the code and the report.
mlir::LogicalResult makeStripeLoop(llvm::ArrayRef<ChainStep> chain, const Segment &segment, llvm::StringRef why);

} // namespace sinter
