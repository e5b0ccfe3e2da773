// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SentencePiece's .model: a ModelProto with pieces, how they were trained, and how text is normalized.
#pragma once

#include "tokenizer/tokenizer.h"
#include "tokenizer/trouble.h"

namespace sinter::tokenizer {

/// It begins with a piece, which no text does.
bool isSentencePiece(llvm::StringRef bytes);
std::optional<Tokenizer> readSentencePiece(llvm::StringRef bytes, Trouble &trouble);

} // namespace sinter::tokenizer
