// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tokenizer.json as a whole.
#include "tokenizer/read_json.h"

#include "support/bounded_json.h"
#include "tokenizer/read_parts.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
/// What one part says of another.
bool checkParts(const Tokenizer &to, Trouble &trouble) {
  for (const std::vector<uint32_t> *around : {&to.prefix, &to.suffix})
    for (uint32_t id : *around)
      if (id >= to.words.size() || !to.words[id])
        return trouble.invalid("the post-processor has the id " + Twine(id) + ", which no token has");
  return !trouble.hasErrors();
}
} // namespace

std::optional<Tokenizer> readTokenizerJson(StringRef bytes, Trouble &trouble) {
  Expected<json::Value> json = parseBoundedJson(bytes);
  if (!json) {
    trouble.unreadable("the file is no whole JSON: " + toString(json.takeError()));
    return std::nullopt;
  }
  Tokenizer to;
  const json::Object *whole = json->getAsObject();
  const json::Object *model = whole ? whole->getObject("model") : nullptr;
  if (!model) {
    trouble.unreadable("no object 'model': this is no tokenizer.json");
    return std::nullopt;
  }
  JsonPart root(*whole, "the file", trouble);
  auto part = [&](StringRef key) { return whole->getObject(key); };
  for (StringRef key : {"normalizer", "pre_tokenizer", "post_processor", "decoder"})
    if (root.member(key) && !part(key))
      trouble.invalid("'" + key + "' is no object");
  if (trouble.hasErrors())
    return std::nullopt;
  bool isGood = readModel(*model, to, trouble);
  to.endModelWords();
  isGood = isGood && readAddedTokens(root.objects("added_tokens"), to, trouble) &&
           (!part("normalizer") || readNormalizer(*part("normalizer"), to, trouble)) &&
           (!part("pre_tokenizer") || readPreTokenizer(*part("pre_tokenizer"), to, trouble)) &&
           (!part("post_processor") || readPostProcessor(*part("post_processor"), to, trouble)) &&
           readDecoder(part("decoder"), to, trouble) && checkParts(to, trouble);
  if (!isGood)
    return std::nullopt;
  return to;
}

} // namespace sinter::tokenizer
