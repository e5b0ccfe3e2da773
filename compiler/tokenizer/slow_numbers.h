// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of pieces that are not the numbers which a SentencePiece file has for them.
#pragma once

#include "tokenizer/read_slow.h"

namespace sinter::tokenizer {

/// Ids by text, as transformers' get_vocab() has them.
using TokenIds = llvm::StringMap<uint32_t>;

void numberAsFile(const Tokenizer &to, TokenIds &ids);
/// XLM-R's: "<s>", "<pad>", "</s>", "<unk>", then the pieces from the third on, then "<mask>".
void numberAsFairseq(Tokenizer &to, TokenIds &ids);
/// vocab.json's. What `target` makes of its words is what they are decoded to. False after a message.
bool numberByVocabulary(const SlowFiles &files, llvm::StringRef unknown, Tokenizer &to, TokenIds &ids,
                        Trouble &trouble);

} // namespace sinter::tokenizer
