// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Automata of regular expressions as constants that kernels walk (templates/text/match_text.h, tokens_matching.h).
#pragma once

#include "lowering.h"
#include "regex.h"

namespace sinter {

/// The kind of each byte [256], the next states [states, kinds], the states that accept [states]. Fails with a
/// diagnostic where there are too many.
mlir::FailureOr<llvm::SmallVector<Tensor>> automatonTables(const Op &op, const Regex &regex);

} // namespace sinter
