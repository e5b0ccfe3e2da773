// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tokenizer's file, compiled: of `sinter tokenizer` and of the verbs that take text.
#pragma once

#include "driver/flags.h"
#include "driver/verbs.h"
#include "tokenizer/compile.h"

namespace sinter {

struct PatternFlag {
  Flag<std::string> pattern{"pattern", Says("how a tiktoken file's text is cut: a name, or a regular expression"),
                            Takes("cl100k_base|o200k_base|...|regex")};
};

/// `pattern`: how a tiktoken file's text is cut. Of SentencePiece's files what lies beside them counts. ExitOk, or the
/// status to end with after a message.
ExitStatus compileTokenizerFile(llvm::StringRef path, llvm::StringRef pattern,
                                std::optional<tokenizer::CompiledTokenizer> &compiled);

/// The tokenizer that exporters put beside a model, "" for none: tokenizer.json, else a file of SentencePiece.
std::string tokenizerBeside(llvm::StringRef model);

/// The tokens of a text. `flags`: generation::EncodeFlags.
std::vector<int32_t> encodeText(const tokenizer::CompiledTokenizer &compiled, llvm::StringRef text, uint32_t flags);

/// The text of tokens, special ones left out. `before`: the token that they follow, so that a blank in front of the
/// first is kept.
std::string decodeTokens(const tokenizer::CompiledTokenizer &compiled, llvm::ArrayRef<int32_t> ids,
                         std::optional<int32_t> before = std::nullopt);

/// The first token that is another text, or special, to one of two tokenizers alone; nothing where they agree.
std::optional<size_t> firstOtherToken(const tokenizer::CompiledTokenizer &one,
                                      const tokenizer::CompiledTokenizer &other);

} // namespace sinter
