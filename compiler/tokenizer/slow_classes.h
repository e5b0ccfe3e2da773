// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokenizer classes of transformers that are written in Python (its slow ones) around a SentencePiece file: what
// each does to the ids and the texts of the file.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sinter::tokenizer {

/// Which ids the pieces have.
enum class PieceNumbers {
  OfFile,
  OfFairseq,    ///< one more than the file's, and special tokens at the front and the end
  OfVocabulary, ///< vocab.json has them
};

struct SlowClass {
  llvm::StringLiteral name;
  PieceNumbers numbers;
  /// Special tokens unless the configuration names others; "" for none.
  llvm::StringLiteral begin, end, unknown, separator, padding, classifier, mask;
  llvm::StringLiteral front; ///< the special token in front of a text; "" for none
  bool hasEndBehind;         ///< a text gets `end` behind it
  bool endsOnce;             ///< unless it has that already
  bool hasEdgeFlags;         ///< add_bos_token and add_eos_token say what goes around a text
  bool hasLegacy;            ///< `legacy: false` cuts text otherwise
  bool stripsText;           ///< text that is decoded has no blanks in front
};

/// None where the class is not known. "T5TokenizerFast" is the same as "T5Tokenizer".
const SlowClass *slowClassOf(llvm::StringRef name);
/// The names of those that are known, for messages.
std::string slowClassNames();
/// The class of a model whose configuration names no tokenizer; "" where it is not known.
llvm::StringRef slowClassOfModel(llvm::StringRef modelType);

} // namespace sinter::tokenizer
