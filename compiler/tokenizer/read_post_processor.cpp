// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes around a text's tokens: all post-processors come down to some tokens in front and some behind.
#include "tokenizer/read_parts.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
/// ["<s>", 0]
bool readPair(const JsonPart &part, StringRef key, std::vector<uint32_t> &ids, Trouble &trouble) {
  const json::Value *member = part.member(key);
  const json::Array *pair = member ? member->getAsArray() : nullptr;
  std::optional<int64_t> id = pair && pair->size() == 2 ? (*pair)[1].getAsInteger() : std::nullopt;
  if (!id || *id < 0 || *id >= mostTokens)
    return trouble.invalid(part.called() + ": '" + key + "' is no pair of a text and an id");
  ids.push_back(static_cast<uint32_t>(*id));
  return true;
}

bool readTemplate(const JsonPart &part, std::vector<uint32_t> &prefix, std::vector<uint32_t> &suffix,
                  Trouble &trouble) {
  const json::Value *member = part.member("special_tokens");
  const json::Object *specials = member ? member->getAsObject() : nullptr;
  bool isBehind = false;
  for (const json::Object *item : part.objects("single")) {
    if (const json::Object *sequence = item->getObject("Sequence")) {
      if (isBehind || sequence->getString("id").value_or("") != "A")
        return trouble.unsupported(part.called() + " whose 'single' is not one text");
      isBehind = true;
      continue;
    }
    const json::Object *token = item->getObject("SpecialToken");
    std::optional<StringRef> name = token ? token->getString("id") : std::nullopt;
    const json::Object *special = name && specials ? specials->getObject(*name) : nullptr;
    const json::Array *ids = special ? special->getArray("ids") : nullptr;
    if (!ids)
      return trouble.invalid(part.called() + ": '" + name.value_or("") + "' is none of its special tokens");
    for (const json::Value &id : *ids) {
      std::optional<int64_t> number = id.getAsInteger();
      if (!number || *number < 0 || *number >= mostTokens)
        return trouble.invalid(part.called() + ": an id that is none");
      (isBehind ? suffix : prefix).push_back(static_cast<uint32_t>(*number));
      if (prefix.size() + suffix.size() > mostAround)
        return trouble.tooLarge(part.called() + ": more than " + Twine(mostAround) + " tokens around a text");
    }
  }
  return isBehind || trouble.unsupported(part.called() + " whose 'single' has no text");
}
} // namespace

bool readPostProcessor(const json::Object &json, Tokenizer &to, Trouble &trouble) {
  JsonPart part(json, "the post-processor", trouble);
  StringRef type = part.type();
  std::vector<uint32_t> prefix, suffix;
  if (type == "Sequence") {
    for (const json::Object *child : part.objects("processors"))
      if (!readPostProcessor(*child, to, trouble))
        return false;
  } else if (type == "TemplateProcessing") {
    if (!readTemplate(part, prefix, suffix, trouble))
      return false;
  } else if (type == "RobertaProcessing" || type == "BertProcessing") {
    if (!readPair(part, "cls", prefix, trouble) || !readPair(part, "sep", suffix, trouble))
      return false;
  } else if (type != "ByteLevel") { // which changes offsets alone
    return trouble.unsupported("the post-processor '" + type + "'");
  }
  if (to.prefix.size() + to.suffix.size() > mostAround)
    return trouble.tooLarge("more than " + Twine(mostAround) + " tokens around a text");
  to.prefix.insert(to.prefix.begin(), prefix.begin(), prefix.end());
  to.suffix.insert(to.suffix.end(), suffix.begin(), suffix.end());
  return true;
}

} // namespace sinter::tokenizer
