// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --fit ram by real plans: stripe_choice.h goes by estimates that know nothing of scratch, alignment and packing, so
// several limits for them are tried, and so is what the default takes.
#pragma once

#include "target/target.h"
#include "target/wishes.h"

#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace sinter {

/// A limit for the feature maps (StripeBudget), and what the stripes cost that it leads to.
struct StripeLimit {
  int64_t bytes = 0;
  double cycles = 0;
};

/// From the least that Fit::Ram may take up to what no stripes need, at most `most` + 1 of them, each with stripes of
/// its own. Splits pools as stripe-chains does.
std::vector<StripeLimit> limitsOfStripes(mlir::ModuleOp module, const Target &target, Threads threads, bool mapsApart,
                                         int64_t most);

/// A way to choose stripes.
struct StripeWay {
  Fit fit = Fit::Balanced;
  StripeBudget budget;
};

/// Of those that Fit::Ram may take the one with the smallest arena, of equal ones that with the least work; nullopt
/// where there are no stripes to choose. `plan` runs the passes from stripe-chains to plan-memory, on copies.
std::optional<StripeWay> bestStripes(mlir::ModuleOp module, const Target &target, Threads threads,
                                     llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, const StripeWay &)> plan);

} // namespace sinter
