// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "missing_bounds.h"

#include "llvm/ADT/STLExtras.h"

namespace sinter {

bool lacksBound(const Diagnostics &diagnostics) {
  return llvm::any_of(diagnostics.all(), [](const Problem &problem) { return problem.code == Code::SizeWithoutBound; });
}

bool lacksBound(const Diagnostics &diagnostics, llvm::StringRef hint) {
  return llvm::any_of(diagnostics.all(), [&](const Problem &problem) {
    return problem.code == Code::SizeWithoutBound && problem.hint == hint;
  });
}

} // namespace sinter
