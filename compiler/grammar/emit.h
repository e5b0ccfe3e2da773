// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grammar beside a tokenizer, as C that stands alone: which tokens may follow.
#pragma once

#include "grammar/tables.h"

#include "llvm/ADT/StringRef.h"

namespace sinter::grammar {

/// Declarations for the tokenizer's header. `prefix` begins each name; it is an identifier.
std::string emitGrammarHeader(llvm::StringRef prefix, size_t tokens);
/// `tokens`: the bytes that each shows; those of special tokens are empty.
std::string emitGrammarSource(const GrammarTables &tables, const std::vector<std::string> &tokens,
                              llvm::StringRef prefix);

} // namespace sinter::grammar
