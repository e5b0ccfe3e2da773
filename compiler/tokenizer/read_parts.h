// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a tokenizer.json, one file each. They return false after a message.
#pragma once

#include "tokenizer/tokenizer.h"
#include "tokenizer/trouble.h"

namespace sinter::tokenizer {

bool readNormalizer(const llvm::json::Object &json, Tokenizer &to, Trouble &trouble);
bool readPreTokenizer(const llvm::json::Object &json, Tokenizer &to, Trouble &trouble);
bool readModel(const llvm::json::Object &json, Tokenizer &to, Trouble &trouble);
bool readAddedTokens(llvm::ArrayRef<const llvm::json::Object *> tokens, Tokenizer &to, Trouble &trouble);
bool readPostProcessor(const llvm::json::Object &json, Tokenizer &to, Trouble &trouble);
/// `json` is null where there is none.
bool readDecoder(const llvm::json::Object *json, Tokenizer &to, Trouble &trouble);

/// A pattern {"String": ..} or {"Regex": ..}; none after a message.
std::optional<RegexNode> readPattern(const JsonPart &part, Trouble &trouble);
/// SentencePiece's compiled map of characters, as words and what they become: the number of a string of `to`.
bool readCharsmap(llvm::StringRef bytes, Tokenizer &to, TrieWords &words, Trouble &trouble);
/// No more steps than a tokenizer may have, which is asked before another one is made.
bool hasRoomForStep(const Tokenizer &to, Trouble &trouble);
/// The token gets the id; a second one for a word or an id is a problem.
bool addWord(llvm::StringRef word, int64_t id, Tokenizer &to, Trouble &trouble);

/// Both parts of a token are looked up wherever it is cut: the square of its length, which all tokens share a budget
/// of.
bool isWithinMergeWork(llvm::StringRef word, uint64_t &work, Trouble &trouble);

// Normalizers that others are made of.
void addNormalForm(Tokenizer &to, bool isCompatible, bool composes);
void addMapStep(Tokenizer &to, Sequences mapping);

} // namespace sinter::tokenizer
