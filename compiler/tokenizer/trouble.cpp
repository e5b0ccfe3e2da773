// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/trouble.h"

using namespace llvm;

namespace sinter::tokenizer {

/// The begin of a long text, of whole characters.
static std::string shortened(StringRef text) {
  constexpr size_t most = 200, shown = 60;
  if (text.size() <= most)
    return text.str();
  size_t end = shown;
  while (end > 0 && (text[end] & 0xc0) == 0x80) // within a character
    --end;
  return (text.take_front(end) + "...").str();
}

bool Trouble::pattern(StringRef pattern, Error problem) {
  std::string size =
      pattern.size() > shortened(pattern).size() ? (" of " + Twine(pattern.size()) + " bytes").str() : "";
  return say(Code::UnsupportedPattern,
             "the pattern '" + shortened(pattern) + "'" + size + ": " + toString(std::move(problem)),
             "`sinter explain E0803` says what patterns may have");
}

StringRef JsonPart::text(StringRef key, StringRef otherwise) const {
  const json::Value *value = member(key);
  if (!value)
    return otherwise;
  if (std::optional<StringRef> text = value->getAsString())
    return *text;
  trouble.invalid(called() + ": '" + key + "' is no text");
  return otherwise;
}

bool JsonPart::flag(StringRef key, bool otherwise) const {
  const json::Value *value = member(key);
  if (!value)
    return otherwise;
  if (std::optional<bool> flag = value->getAsBoolean())
    return *flag;
  trouble.invalid(called() + ": '" + key + "' is neither true nor false");
  return otherwise;
}

int64_t JsonPart::number(StringRef key, int64_t otherwise) const {
  const json::Value *value = member(key);
  if (!value)
    return otherwise;
  if (std::optional<int64_t> number = value->getAsInteger())
    return *number;
  trouble.invalid(called() + ": '" + key + "' is no whole number");
  return otherwise;
}

std::vector<const json::Object *> JsonPart::objects(StringRef key) const {
  std::vector<const json::Object *> result;
  const json::Value *value = member(key);
  if (!value)
    return result;
  const json::Array *array = value->getAsArray();
  if (!array)
    trouble.invalid(called() + ": '" + key + "' is no list");
  else
    for (const json::Value &item : *array)
      if (const json::Object *part = item.getAsObject())
        result.push_back(part);
      else
        trouble.invalid(called() + ": '" + key + "' has something that is no object");
  return result;
}

} // namespace sinter::tokenizer
