// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A SentencePiece file with the files that transformers saves beside it: which ids pieces have, which tokens there are
// besides, and what goes around a text.
#pragma once

#include "tokenizer/tokenizer.h"
#include "tokenizer/trouble.h"

namespace sinter::tokenizer {

struct SlowFiles {
  llvm::StringRef model;                        ///< bytes of the SentencePiece file
  std::string className;                        ///< as transformers calls it
  llvm::json::Object config;                    ///< tokenizer_config.json
  llvm::json::Object specials;                  ///< special_tokens_map.json
  llvm::json::Object added;                     ///< added_tokens.json
  std::optional<llvm::json::Object> vocabulary; ///< vocab.json
  std::optional<std::string> target;            ///< bytes of target.spm, by which text is decoded
};

/// None after a message.
std::optional<Tokenizer> readSlowTokenizer(const SlowFiles &files, Diagnostics &diagnostics);

} // namespace sinter::tokenizer
