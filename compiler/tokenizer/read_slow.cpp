// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/read_slow.h"

#include "runtime-lite/generation/unicode_utf8.h"
#include "tokenizer/read_sentencepiece.h"
#include "tokenizer/regex_syntax.h"
#include "tokenizer/slow_classes.h"
#include "tokenizer/slow_numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace sinter::tokenizer {
namespace {
constexpr StringLiteral saveFast = "AutoTokenizer.from_pretrained(FOLDER, use_fast=True).save_pretrained(FOLDER) of "
                                   "transformers writes tokenizer.json";

class SlowReader {
public:
  SlowReader(const SlowFiles &files, Trouble &trouble)
      : files(files), trouble(trouble), config(files.config, "tokenizer_config.json", trouble) {}

  std::optional<Tokenizer> read() {
    kind = slowClassOf(files.className);
    if (!kind) {
      trouble.unsupported(
          "a SentencePiece file of the class " + files.className + ", which is none of " + slowClassNames(), saveFast);
      return std::nullopt;
    }
    std::optional<Tokenizer> model = readSentencePiece(files.model, trouble);
    if (!model)
      return std::nullopt;
    to = std::move(*model);
    to.begin = to.end = generation::noToken; // the class says what goes around a text
    if (!readNames() || !numberPieces() || !readAdded() || !addOthers() || !readEdges() || !changeCuts() ||
        trouble.hasErrors())
      return std::nullopt;
    changeTexts();
    return std::move(to);
  }

private:
  struct Special {
    std::string text;
    uint32_t flags = 0;
  };
  /// In the order in which transformers numbers those that are new.
  struct NamedSpecial {
    StringLiteral name;
    std::optional<Special> token;
  };

  bool hasAddedDecoder() const { return files.config.getObject("added_tokens_decoder"); }

  uint32_t flagsOf(const JsonPart &token) {
    if (token.flag("single_word"))
      trouble.unsupported("the token '" + token.text("content") + "' of " + files.className + " with single_word",
                          saveFast);
    return (token.flag("lstrip") ? generation::StripsLeft : 0) | (token.flag("rstrip") ? generation::StripsRight : 0);
  }
  std::optional<Special> specialOf(const json::Value &value) {
    if (const json::Object *object = value.getAsObject()) {
      JsonPart part(*object, "a special token", trouble);
      return Special{part.text("content").str(), flagsOf(part)};
    }
    if (std::optional<StringRef> text = value.getAsString())
      return Special{text->str(), 0};
    return std::nullopt;
  }
  /// What a special token is: of special_tokens_map.json only where the configuration has no list of added tokens.
  const json::Value *saidOf(StringRef name) const {
    if (!hasAddedDecoder())
      if (const json::Value *value = files.specials.get(name))
        return value;
    return files.config.get(name);
  }

  bool readNames() {
    const std::pair<StringLiteral, StringRef> names[] = {{"bos_token", kind->begin},   {"eos_token", kind->end},
                                                         {"unk_token", kind->unknown}, {"sep_token", kind->separator},
                                                         {"pad_token", kind->padding}, {"cls_token", kind->classifier},
                                                         {"mask_token", kind->mask}};
    for (const auto &[name, usual] : names) {
      std::optional<Special> token;
      if (!usual.empty())
        token = Special{usual.str(), name == "mask_token" ? uint32_t(generation::StripsLeft) : 0};
      if (const json::Value *value = saidOf(name)) {
        std::optional<Special> said = specialOf(*value);
        if (said && name == "mask_token" && value->getAsString())
          said->flags = generation::StripsLeft;
        token = said; // null is none
      }
      addSpecial(name, std::move(token));
    }
    if (const json::Value *more = saidOf("additional_special_tokens"))
      if (const json::Array *list = more->getAsArray())
        for (const json::Value &each : *list)
          if (std::optional<Special> token = specialOf(each))
            addSpecial("additional_special_tokens", std::move(token));
    return true;
  }
  StringRef special(StringRef name) const {
    for (const NamedSpecial &each : specials)
      if (each.name == name && each.token)
        return each.token->text;
    return "";
  }
  void addSpecial(StringLiteral name, std::optional<Special> token) {
    if (token)
      named.insert(token->text);
    specials.push_back({name, std::move(token)});
  }

  bool numberPieces() {
    if (kind->numbers == PieceNumbers::OfVocabulary) {
      if (config.flag("separate_vocabs"))
        return trouble.unsupported(files.className + " with separate_vocabs", saveFast);
      return numberByVocabulary(files, special("unk_token"), to, ids, trouble);
    }
    if (kind->numbers == PieceNumbers::OfFairseq)
      numberAsFairseq(to, ids);
    else
      numberAsFile(to, ids);
    return true;
  }

  /// A token that is looked for in the text as it is.
  bool addToken(StringRef text, int64_t id, uint32_t flags) {
    const bool isNamed = named.contains(text); // transformers shows what is special without being named
    if (text.empty())
      return trouble.invalid("an added token without text");
    if (text.size() > longestToken)
      return trouble.tooLarge("an added token of " + Twine(text.size()) + " bytes");
    if (id < 0 || id >= mostTokens)
      return trouble.tooLarge("the added token '" + text + "' has the id " + Twine(id));
    const auto number = static_cast<uint32_t>(id);
    if (to.texts.size() <= number)
      to.texts.resize(number + 1);
    TokenText &shown = to.texts[number];
    shown.first = text.str();
    shown.rest = isNamed ? text.str() : " " + text.str(); // as parts of a text are joined
    shown.flags = isNamed ? generation::SpecialToken : 0;
    ids[text] = number;
    known.insert(text);
    taken.insert(number);
    to.added.push_back(
        {text.str(), number, flags | (isNamed ? generation::IsSpecial | generation::DropsBlank : 0), false, false});
    return true;
  }

  /// Those whose ids the files say.
  bool readAdded() {
    if (const json::Object *tokens = files.config.getObject("added_tokens_decoder")) {
      for (const auto &[key, value] : *tokens) {
        int64_t id = -1;
        const json::Object *token = value.getAsObject();
        if (!token || StringRef(key).getAsInteger(10, id))
          return trouble.invalid("tokenizer_config.json: added_tokens_decoder has '" + StringRef(key) +
                                 "', which is no id with a token");
        JsonPart part(*token, "an added token", trouble);
        StringRef text = part.text("content");
        if (!addToken(text, id, flagsOf(part) | (part.flag("special") ? generation::IsSpecial : 0)))
          return false;
      }
      return true;
    }
    for (const auto &[text, number] : files.added)
      if (!addToken(text, number.getAsInteger().value_or(-1), 0))
        return false;
    return true;
  }

  /// T5's sentinels have the ids behind the pieces in falling order, where these are free.
  bool addSentinels() {
    const int64_t wanted = config.number("extra_ids", 100);
    if (wanted < 0 || wanted > mostTokens)
      return trouble.tooLarge("extra_ids is " + Twine(wanted));
    auto isMore = [](const NamedSpecial &each) { return each.name == "additional_special_tokens"; };
    auto isSentinel = [&](const NamedSpecial &each) {
      return isMore(each) && StringRef(each.token->text).contains("<extra_id_");
    };
    const bool hasList = any_of(specials, isMore);
    const auto listed = static_cast<int64_t>(count_if(specials, isSentinel));
    auto nameOf = [](int64_t i) { return "<extra_id_" + std::to_string(i) + ">"; };
    if (listed == 0) // they are special tokens without being named
      for (int64_t i = 0; i < wanted; ++i)
        addSpecial("additional_special_tokens", Special{nameOf(i), 0});
    for (int64_t i = 0; i < (hasList ? listed : wanted); ++i) {
      const int64_t id = static_cast<int64_t>(to.words.size()) - 1 + wanted - i;
      if (!known.contains(nameOf(i)) && !taken.count(static_cast<uint32_t>(id)) &&
          !addToken(nameOf(i), id, generation::StripsLeft | generation::StripsRight))
        return false;
    }
    return true;
  }

  /// Special tokens that no list has: those that are no pieces come behind all others.
  bool addOthers() {
    if (kind->name == "T5Tokenizer" && !addSentinels())
      return false;
    const std::vector<NamedSpecial> all = specials;
    for (const auto &[name, token] : all) {
      if (!token || token->text.empty() || known.contains(token->text))
        continue;
      auto found = ids.find(token->text);
      const auto id = found != ids.end() ? found->second : static_cast<uint32_t>(ids.size());
      if (!addToken(token->text, id, token->flags))
        return false;
    }
    return true;
  }

  bool readEdges() {
    auto idOf = [&](StringRef name) -> std::optional<uint32_t> {
      auto found = ids.find(special(name));
      if (found != ids.end())
        return found->second;
      trouble.invalid("tokenizer_config.json: a text is to have " + name + ", which is no token");
      return std::nullopt;
    };
    bool hasFront = !kind->front.empty(), hasBehind = kind->hasEndBehind;
    if (kind->hasEdgeFlags) {
      hasFront = config.flag("add_bos_token", hasFront);
      hasBehind = config.flag("add_eos_token", hasBehind);
    }
    if (hasFront)
      if (std::optional<uint32_t> id = idOf(kind->classifier.empty() ? "bos_token" : "cls_token"))
        to.prefix.push_back(*id);
    if (hasBehind)
      if (std::optional<uint32_t> id = idOf(kind->separator.empty() ? "eos_token" : "sep_token"))
        to.suffix.push_back(*id);
    to.endsOnce = kind->endsOnce;
    if (auto end = ids.find(special("eos_token")); end != ids.end())
      to.end = end->second;
    return true;
  }

  bool isLegacy() const { return !kind->hasLegacy || files.config.getBoolean("legacy").value_or(true); }
  bool addsBlank() const { return files.config.getBoolean("add_prefix_space").value_or(true); }

  /// Of the likeliest pieces of a text, as SentencePiece sums them up; 0 for BPE.
  double scoreOf(StringRef text) const {
    if (to.model != generation::ModelKind::Unigram)
      return 0;
    std::vector<float> best(text.size() + 1, -INFINITY);
    best[0] = 0;
    for (size_t start = 0, bytes; start < text.size(); start += bytes) {
      bytes = generation::utf8Length(text.bytes_begin()[start]);
      bool hasCharacter = false;
      auto consider = [&](size_t end, double score) {
        if (end < best.size())
          best[end] = std::max(best[end], static_cast<float>(score) + best[start]);
      };
      for (size_t end = start + 1; end <= text.size(); ++end)
        if (uint32_t piece = to.idOf(text.slice(start, end)); to.isModelWord(piece)) {
          consider(end, to.scores[piece]);
          hasCharacter |= end == start + bytes;
        }
      if (!hasCharacter)
        consider(start + bytes, to.unknownScore);
    }
    return best.back();
  }

  /// `legacy: false`: the sign of a blank goes in front of the text alone, not behind added tokens, and blanks in front
  /// of a stretch stay.
  bool changeCuts() {
    if (config.flag("split_special_tokens"))
      erase_if(to.added, [](const AddedWord &word) { return !word.isNormalized; });
    Step &pieceText = to.normalizers.front(); // all that readSentencePiece leaves
    losesBlanks = pieceText.b & generation::DropsBlanks;
    addsPrefix = pieceText.b & generation::AddsBlank;
    if (isLegacy())
      return true;
    if (!losesBlanks) { // else a blank alone is none
      auto blank = ids.find("▁");
      if (blank == ids.end())
        return trouble.unsupported(files.className + " with `legacy: false` and without a piece of a blank", saveFast);
      to.frontBlank = blank->second;
      to.putsFrontBlank = addsBlank();
    }
    if (special("unk_token").size() > longestString)
      return trouble.tooLarge("an unknown token of " + Twine(special("unk_token").size()) + " bytes");
    const uint32_t keepsBlank = generation::BeginsWithBlank | (addsBlank() ? generation::BeginsText : 0);
    pieceText.b = pieceText.b & generation::DropsBlanks;
    pieceText.b |= keepsBlank << generation::keepsBlanksShift;
    to.leadScore = scoreOf(special("unk_token"));
    to.leadAt = keepsBlank;
    const uint32_t blank = to.addString(" ");
    std::vector<Step> first = {{StepKind::Replace, to.addRegex(literalRegex("▁")), blank, 0}};
    if (addsBlank())
      first.push_back({StepKind::Prepend, to.addString("▁"), generation::BeginsText, 0});
    to.normalizers.insert(to.normalizers.begin(), first.begin(), first.end());
    return true;
  }

  /// Blanks in front of all text go as decode() of the class takes them.
  void changeTexts() {
    uint32_t stripped = 0;
    if (kind->stripsText || (kind->hasLegacy && losesBlanks))
      stripped = UINT32_MAX;
    else if (kind->hasLegacy)
      stripped = (addsBlank() ? 1 : 0) + (isLegacy() && addsPrefix ? 1 : 0);
    else
      return;
    for (TokenText &text : to.texts)
      text.first = text.rest;
    to.strippedByte = ' ';
    to.strippedCount = stripped;
  }

  const SlowFiles &files;
  Trouble &trouble;
  JsonPart config;
  const SlowClass *kind = nullptr;
  Tokenizer to;
  TokenIds ids;
  StringSet<> known;        ///< added tokens
  std::set<uint32_t> taken; ///< their ids
  std::vector<NamedSpecial> specials;
  StringSet<> named; ///< their texts
  bool losesBlanks = false, addsPrefix = false;
};
} // namespace

std::optional<Tokenizer> readSlowTokenizer(const SlowFiles &files, Diagnostics &diagnostics) {
  Trouble trouble(diagnostics);
  if (files.model.size() > largestFile || (files.target && files.target->size() > largestFile)) {
    trouble.tooLarge("the file has more than " + Twine(largestFile) + " bytes");
    return std::nullopt;
  }
  return SlowReader(files, trouble).read();
}

} // namespace sinter::tokenizer
