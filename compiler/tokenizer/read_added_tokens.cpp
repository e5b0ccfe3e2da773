// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens that are found in text before the model sees it.
#include "tokenizer/read_parts.h"

using namespace llvm;

namespace sinter::tokenizer {

bool readAddedTokens(ArrayRef<const json::Object *> tokens, Tokenizer &to, Trouble &trouble) {
  for (const json::Object *token : tokens) {
    JsonPart part(*token, "an added token", trouble);
    AddedWord word;
    word.text = part.text("content").str();
    int64_t id = part.number("id", -1);
    if (word.text.empty())
      return trouble.invalid("an added token without text");
    uint32_t known = to.idOf(word.text);
    if (known == generation::noToken) {
      if (!addWord(word.text, id, to, trouble))
        return false;
    } else if (id != known) {
      return trouble.invalid("the token '" + word.text + "' has the ids " + Twine(known) + " and " + Twine(id));
    }
    word.id = static_cast<uint32_t>(id);
    bool isSpecial = part.flag("special");
    word.isNormalized = part.flag("normalized", !isSpecial);
    word.flags = (part.flag("lstrip") ? generation::StripsLeft : 0) |
                 (part.flag("rstrip") ? generation::StripsRight : 0) |
                 (part.flag("single_word") ? generation::SingleWord : 0) | (isSpecial ? generation::IsSpecial : 0);
    to.added.push_back(std::move(word));
  }
  return !trouble.hasErrors();
}

} // namespace sinter::tokenizer
