// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/read_tokenizer.h"

#include "tokenizer/read_json.h"
#include "tokenizer/read_sentencepiece.h"
#include "tokenizer/read_tiktoken.h"

using namespace llvm;

namespace sinter::tokenizer {

/// Ids between others that no token has.
static void markMissing(Tokenizer &to) {
  for (size_t id = 0; id < to.texts.size(); ++id)
    if (!to.words[id])
      to.texts[id] = {"", "", generation::NoToken};
}

std::optional<Tokenizer> readTokenizer(StringRef bytes, const ReadOptions &options, Diagnostics &diagnostics) {
  Trouble trouble(diagnostics);
  if (bytes.size() > largestFile) {
    trouble.tooLarge("the file has " + Twine(bytes.size()) + " bytes");
    return std::nullopt;
  }
  std::optional<Tokenizer> read = isSentencePiece(bytes) ? readSentencePiece(bytes, trouble)
                                  : isTiktoken(bytes)    ? readTiktoken(bytes, options.pattern, trouble)
                                                         : readTokenizerJson(bytes, trouble);
  if (read)
    markMissing(*read);
  return read;
}

} // namespace sinter::tokenizer
