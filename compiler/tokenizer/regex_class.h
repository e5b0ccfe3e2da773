// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a regular expression that stands for one character: itself, an escape, a class in brackets.
#pragma once

#include "tokenizer/code_point_set.h"

#include "llvm/Support/Error.h"

namespace sinter::tokenizer {

/// Reads it from `at` on and moves `at` behind it.
llvm::Expected<CodePointSet> parseCharacters(const std::vector<uint32_t> &text, size_t &at);

} // namespace sinter::tokenizer
