// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/read_tokenizer.h"

#include "tokenizer/read_json.h"
#include "tokenizer/read_sentencepiece.h"
#include "tokenizer/read_tiktoken.h"

using namespace llvm;

namespace sinter::tokenizer {

std::optional<Tokenizer> readTokenizer(StringRef bytes, const ReadOptions &options, Diagnostics &diagnostics) {
  Trouble trouble(diagnostics);
  if (bytes.size() > largestFile) {
    trouble.tooLarge("the file has " + Twine(bytes.size()) + " bytes");
    return std::nullopt;
  }
  if (isSentencePiece(bytes))
    return readSentencePiece(bytes, trouble);
  if (isTiktoken(bytes))
    return readTiktoken(bytes, options.pattern, trouble);
  return readTokenizerJson(bytes, trouble);
}

} // namespace sinter::tokenizer
