// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of compile.cpp that have a file of their own.
#pragma once

#include "tokenizer/compile.h"

namespace sinter::tokenizer {

bool compileTrie(const TrieWords &words, std::vector<uint32_t> &nodes, Trouble &trouble);
bool compileModel(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble);
bool compileAdded(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble);
void compileTexts(const Tokenizer &from, CompiledTokenizer &to);

} // namespace sinter::tokenizer
