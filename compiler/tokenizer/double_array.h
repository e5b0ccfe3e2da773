// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words to a double array (generation::Trie): each node's children lie at its beginning plus their bytes, in places
// that no other node's children have.
#pragma once

#include "tokenizer/tokenizer.h"

namespace sinter::tokenizer {

/// Of several equal words the one with the least number counts. An error where the array would be too large.
llvm::Expected<std::vector<uint32_t>> doubleArrayOf(TrieWords words);

} // namespace sinter::tokenizer
