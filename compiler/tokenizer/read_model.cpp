// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model: its vocabulary, and how pieces are written with it.
#include "tokenizer/read_parts.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace sinter::tokenizer {
namespace {
bool readVocabulary(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  const json::Value *member = part.member("vocab");
  const json::Object *words = member ? member->getAsObject() : nullptr;
  if (!words)
    return trouble.invalid(part.called() + ": no vocabulary");
  if (words->size() > mostTokens)
    return trouble.tooLarge("more than " + Twine(mostTokens) + " tokens");
  for (const auto &[word, id] : *words) {
    std::optional<int64_t> number = id.getAsInteger();
    if (!addWord(word, number.value_or(-1), to, trouble))
      return false;
  }
  return true;
}

bool readUnknown(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  StringRef word = part.text("unk_token");
  if (word.empty())
    return true;
  to.unknown = to.idOf(word);
  return to.unknown != generation::noToken || trouble.invalid(part.called() + ": '" + word + "' is no token");
}

/// "a b" or ["a", "b"].
bool readMerge(const json::Value &json, StringRef &left, StringRef &right) {
  if (std::optional<StringRef> text = json.getAsString()) {
    std::tie(left, right) = text->split(' ');
    return !left.empty() && !right.empty() && !right.contains(' ');
  }
  const json::Array *pair = json.getAsArray();
  if (!pair || pair->size() != 2 || !(*pair)[0].getAsString() || !(*pair)[1].getAsString())
    return false;
  left = *(*pair)[0].getAsString();
  right = *(*pair)[1].getAsString();
  return true;
}

bool readMerges(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  const json::Value *member = part.member("merges");
  const json::Array *merges = member ? member->getAsArray() : nullptr;
  if (!merges)
    return trouble.invalid(part.called() + ": no merges");
  if (merges->size() > mostMerges)
    return trouble.tooLarge("more than " + Twine(mostMerges) + " merges");
  for (const json::Value &merge : *merges) {
    StringRef left, right;
    auto rank = static_cast<uint32_t>(to.merges.size());
    if (!readMerge(merge, left, right))
      return trouble.invalid("merge " + Twine(rank) + " is no pair of tokens");
    if (!right.starts_with(to.laterPrefix))
      return trouble.invalid("merge " + Twine(rank) + ": '" + right + "' does not begin with '" + to.laterPrefix + "'");
    std::string whole = (left + right.drop_front(to.laterPrefix.size())).str();
    uint32_t ids[] = {to.idOf(left), to.idOf(right), to.idOf(whole)};
    for (auto [id, word] : {std::pair(ids[0], left), {ids[1], right}, {ids[2], StringRef(whole)}})
      if (id == generation::noToken)
        return trouble.invalid("merge " + Twine(rank) + ": '" + word + "' is no token");
    to.merges.push_back({ids[0], ids[1], rank, ids[2]});
  }
  return true;
}

bool readBpe(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  to.model = generation::ModelKind::Bpe;
  if (const json::Value *dropout = part.member("dropout"))
    if (dropout->getAsNumber().value_or(1) != 0)
      return trouble.unsupported("dropout, which makes encoding random");
  to.laterPrefix = part.text("continuing_subword_prefix").str();
  to.lastSuffix = part.text("end_of_word_suffix").str();
  if (to.laterPrefix.size() > longestString || to.lastSuffix.size() > longestString)
    return trouble.tooLarge(part.called() + ": a prefix or suffix of more than " + Twine(longestString) + " bytes");
  to.fusesUnknown = part.flag("fuse_unk");
  to.hasByteFallback = part.flag("byte_fallback");
  to.takesWholeWords = part.flag("ignore_merges");
  return readVocabulary(part, to, trouble) && readUnknown(part, to, trouble) && readMerges(part, to, trouble);
}

bool readUnigram(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  to.model = generation::ModelKind::Unigram;
  to.hasByteFallback = part.flag("byte_fallback");
  to.fusesUnknown = true;
  const json::Value *member = part.member("vocab");
  const json::Array *words = member ? member->getAsArray() : nullptr;
  if (!words || words->empty())
    return trouble.invalid(part.called() + ": no vocabulary");
  if (words->size() > mostTokens)
    return trouble.tooLarge("more than " + Twine(mostTokens) + " tokens");
  for (const json::Value &word : *words) {
    const json::Array *pair = word.getAsArray();
    std::optional<double> score = pair && pair->size() == 2 ? (*pair)[1].getAsNumber() : std::nullopt;
    std::optional<StringRef> text = score ? (*pair)[0].getAsString() : std::nullopt;
    if (!text || !std::isfinite(*score))
      return trouble.invalid("token " + Twine(to.words.size()) + " is no pair of a text and a finite score");
    if (!addWord(*text, static_cast<int64_t>(to.words.size()), to, trouble))
      return false;
    to.scores.push_back(*score);
  }
  int64_t unknown = part.number("unk_id", -1);
  if (unknown < 0)
    return trouble.unsupported("a Unigram model without an unknown token");
  if (unknown >= static_cast<int64_t>(words->size()))
    return trouble.invalid("unk_id " + Twine(unknown) + " is no token");
  to.unknown = static_cast<uint32_t>(unknown);
  to.unknownScore = *std::min_element(to.scores.begin(), to.scores.end()) - 10.0;
  return true;
}

bool readWordPiece(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  to.model = generation::ModelKind::WordPiece;
  to.laterPrefix = part.text("continuing_subword_prefix", "##").str();
  int64_t longest = part.number("max_input_chars_per_word", 100);
  if (longest < 0 || longest > longestToken)
    return trouble.tooLarge("max_input_chars_per_word is " + Twine(longest));
  to.longestWord = static_cast<uint32_t>(longest);
  return readVocabulary(part, to, trouble) && readUnknown(part, to, trouble) &&
         (to.unknown != generation::noToken || trouble.unsupported("a WordPiece model without an unknown token"));
}
} // namespace

bool addWord(StringRef word, int64_t id, Tokenizer &to, Trouble &trouble) {
  if (id < 0)
    return trouble.invalid("the token '" + word + "' has no id");
  if (id >= mostTokens)
    return trouble.tooLarge("the token '" + word + "' has the id " + Twine(id));
  if (word.size() > longestToken)
    return trouble.tooLarge("the token " + Twine(id) + " has " + Twine(word.size()) + " bytes");
  if (to.words.size() <= static_cast<size_t>(id))
    to.words.resize(id + 1);
  if (to.words[id])
    return trouble.invalid("the tokens '" + *to.words[id] + "' and '" + word + "' have one id, " + Twine(id));
  if (!to.ids.insert({word, static_cast<uint32_t>(id)}).second)
    return trouble.invalid("the token '" + word + "' is there twice, as " + Twine(to.idOf(word)) + " and " + Twine(id));
  to.words[id] = word.str();
  return true;
}

bool isWithinMergeWork(StringRef word, uint64_t &work, Trouble &trouble) {
  work += uint64_t(word.size()) * word.size();
  return work <= mostMergeWork ||
         trouble.tooLarge("tokens that are so long that their merges are too many to look for");
}

bool readModel(const json::Object &json, Tokenizer &to, Trouble &trouble) {
  JsonPart part(json, "the model", trouble);
  StringRef type = part.type();
  if (type.empty()) // as the oldest files have it
    type = part.member("merges") ? "BPE" : part.member("max_input_chars_per_word") ? "WordPiece" : "WordLevel";
  if (type == "BPE")
    return readBpe(part, to, trouble);
  if (type == "Unigram")
    return readUnigram(part, to, trouble);
  if (type == "WordPiece")
    return readWordPiece(part, to, trouble);
  if (type != "WordLevel")
    return trouble.unsupported("the model '" + type + "'");
  to.model = generation::ModelKind::WordLevel;
  return readVocabulary(part, to, trouble) && readUnknown(part, to, trouble);
}

} // namespace sinter::tokenizer
