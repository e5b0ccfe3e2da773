// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/slow_numbers.h"

#include "tokenizer/read_sentencepiece.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
std::string blanksOfSigns(StringRef word) {
  std::string text;
  for (StringRef rest = word; !rest.empty();) {
    auto [before, after] = rest.split("▁");
    text += before;
    if (before.size() == rest.size())
      break;
    text += ' ';
    rest = after;
  }
  return text;
}

void setPieceText(Tokenizer &to, uint32_t id, TokenText text) {
  if (to.texts.size() <= id)
    to.texts.resize(id + 1);
  to.texts[id] = std::move(text);
}

/// The tokens that a file of the model itself looks for in text have the ids of their pieces.
void renumberAdded(Tokenizer &to) {
  for (AddedWord &word : to.added)
    word.id = to.pieceIds[word.id];
}

/// BPE tells of an unknown text only that it is unknown.
bool maySpellUnknown(const Tokenizer &to, StringRef word) {
  for (uint32_t c : codePointsOf(word))
    if (uint32_t piece = to.idOf(utf8Of(c)); piece != generation::noToken && to.isModelWord(piece))
      return false;
  return true;
}
} // namespace

void numberAsFile(const Tokenizer &to, TokenIds &ids) {
  for (const auto &piece : to.ids)
    ids.insert({piece.getKey(), piece.getValue()});
}

void numberAsFairseq(Tokenizer &to, TokenIds &ids) {
  constexpr uint32_t offset = 1, unknown = 3;
  const auto count = static_cast<uint32_t>(to.words.size());
  std::vector<TokenText> texts = std::move(to.texts);
  to.texts.assign(count + offset, {});
  for (uint32_t piece = 0; piece < count; ++piece) {
    to.texts[piece + offset] = texts[piece];
    ids[*to.words[piece]] = piece + offset;
  }
  const std::pair<StringLiteral, uint32_t> named[] = {
      {"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", unknown}, {"<mask>", count + offset}};
  for (const auto &[word, id] : named) {
    setPieceText(to, id, {word.str(), word.str(), generation::SpecialToken});
    ids[word] = id;
  }
  for (uint32_t piece = 0; piece < count; ++piece)
    to.pieceIds.push_back(piece ? ids[*to.words[piece]] : unknown);
  renumberAdded(to);
}

bool numberByVocabulary(const SlowFiles &files, StringRef unknown, Tokenizer &to, TokenIds &ids, Trouble &trouble) {
  if (!files.vocabulary)
    return trouble.unsupported(files.className + " without vocab.json, which has the ids",
                               "vocab.json, source.spm and target.spm belong into one folder");
  if (!files.target)
    return trouble.unsupported(files.className + " without target.spm, by which text is decoded",
                               "vocab.json, source.spm and target.spm belong into one folder");
  if (files.vocabulary->size() > mostTokens)
    return trouble.tooLarge("vocab.json has more than " + Twine(mostTokens) + " tokens");
  std::optional<Tokenizer> target = readSentencePiece(*files.target, trouble);
  if (!target)
    return false;
  to.texts.clear();
  for (const auto &[key, number] : *files.vocabulary) {
    StringRef word = key;
    std::optional<int64_t> id = number.getAsInteger();
    if (!id || *id < 0 || *id >= mostTokens)
      return trouble.invalid("vocab.json: the token '" + StringRef(word) + "' has no id");
    if (word.size() > longestToken)
      return trouble.tooLarge("vocab.json: the token " + Twine(*id) + " has " + Twine(word.size()) + " bytes");
    const auto token = static_cast<uint32_t>(*id);
    ids[word] = token;
    uint32_t piece = target->idOf(word), cut = to.idOf(word);
    std::string bare = blanksOfSigns(word);
    setPieceText(to, token, piece != generation::noToken ? target->texts[piece] : TokenText{bare, std::move(bare), 0});
    if (!word.empty() && (cut == generation::noToken || !to.isModelWord(cut)))
      to.unknownWords.push_back({word.str(), token});
    if (word.starts_with(">>") && word.find("<<") == word.size() - 2)
      to.languageCodes.push_back({word.str(), token});
  }
  to.hasLanguageCodes = true;
  auto found = ids.find(unknown);
  if (found == ids.end())
    return trouble.invalid("vocab.json: the unknown token '" + unknown + "' is no word of it");
  if (to.model == generation::ModelKind::Bpe) {
    for (const auto &[word, id] : to.unknownWords)
      if (maySpellUnknown(to, word))
        return trouble.unsupported(files.className + " whose source is a BPE model, with the token '" + word +
                                   "' of characters that it does not have");
    to.unknownWords.clear();
  }
  for (const std::optional<std::string> &word : to.words) {
    auto id = ids.find(*word);
    to.pieceIds.push_back(id == ids.end() ? found->second : id->second);
  }
  to.pieceIds[to.unknown] = found->second;
  renumberAdded(to);
  return true;
}

} // namespace sinter::tokenizer
