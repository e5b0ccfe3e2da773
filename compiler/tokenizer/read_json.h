// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tokenizer.json, as the package tokenizers writes it.
#pragma once

#include "tokenizer/tokenizer.h"
#include "tokenizer/trouble.h"

namespace sinter::tokenizer {

std::optional<Tokenizer> readTokenizerJson(llvm::StringRef bytes, Trouble &trouble);

} // namespace sinter::tokenizer
