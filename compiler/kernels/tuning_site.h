// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A place where a pass chooses between ways that compute the same as precisely, and where a measurement may know better
// (--tune): what is asked there, what may be answered, and what was. The options and the answer stay in the kernel's
// attribute, for the report, by which the tuner matches times with options (driver/tuner.h).
#pragma once

#include "ir/dialect.h"
#include "target/tuned_choices.h"

namespace sinter {

struct TuningSite {
  std::string text;                 ///< of what is chosen, operation, shapes, types and strides
  std::vector<std::string> options; ///< the first is what estimates choose
  size_t taken = 0;

  /// Of the contraction; `options`: more than one. What was measured is taken where it is among them.
  TuningSite(llvm::StringRef what, mlir::Operation *contraction, std::vector<std::string> options,
             const TunedChoices &tuned);

  /// With the site in it, where it is to be noted.
  KernelAttr notedIn(KernelAttr kernel, const TunedChoices &tuned) const;
};

/// What notedIn left: the text, the options, and the one that was taken; nothing where there is none.
std::optional<TuningSite> tuningSiteOf(KernelAttr kernel);

} // namespace sinter
