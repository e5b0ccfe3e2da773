// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables and the runtime's headers as a C header and one C++ source that stand alone.
#pragma once

#include "tokenizer/compile.h"

namespace sinter::tokenizer {

/// `prefix` begins each name of the C interface; it is an identifier. `more` are declarations of others.
std::string emitHeader(const CompiledTokenizer &tokenizer, llvm::StringRef prefix, llvm::StringRef more = "");
std::string emitSource(const CompiledTokenizer &tokenizer, llvm::StringRef prefix);

} // namespace sinter::tokenizer
