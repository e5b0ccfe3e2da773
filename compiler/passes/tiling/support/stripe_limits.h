// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --fit ram by real plans: stripe_choice.h goes by estimates that know nothing of scratch, alignment and packing, so
// several limits for them are tried, and so is what the default takes.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace sinter {

/// A limit for the feature maps (`sinter.stripe_bytes`), and what the stripes cost that it leads to.
struct StripeLimit {
  int64_t bytes = 0;
  double cycles = 0;
};

/// From the least that `sinter.fit` = "ram" may take up to what no stripes need, at most `most` + 1 of them, each with
/// stripes of its own. Splits pools as stripe-chains does.
std::vector<StripeLimit> limitsOfStripes(mlir::ModuleOp module, int64_t most);

/// Where a module with `sinter.fit` = "ram" leaves the stripes to the compiler: fixes them to those with the smallest
/// arena, of equal ones to those with the least work. `plan` runs the passes from stripe-chains to plan-memory, on
/// copies.
void tryStripeLimits(mlir::ModuleOp module, llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> plan);

} // namespace sinter
