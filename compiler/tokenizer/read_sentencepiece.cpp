// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/read_sentencepiece.h"

#include "frontend/wire.h"
#include "tokenizer/read_parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;

namespace sinter::tokenizer {
namespace {
enum PieceType : uint64_t { NormalPiece = 1, UnknownPiece, ControlPiece, UserPiece, UnusedPiece, BytePiece };
enum PieceModelKind : uint64_t { UnigramModel = 1, BpeModel = 2 };

struct Piece {
  std::string text;
  float score = 0;
  uint64_t type = NormalPiece;
};

struct PieceModel {
  std::vector<Piece> pieces;
  uint64_t model = UnigramModel;
  bool hasByteFallback = false, hasSuffixBlanks = false, addsPrefix = true, removesBlanks = true, escapesBlanks = true;
  std::string charsmap, unknownText = " \u2047 ";
  uint64_t begin = 1, end = 2; ///< ids, where these are control pieces
};

/// Calls `take` with each field; false where the bytes are no message.
bool forEachField(StringRef bytes, function_ref<void(const wire::Field &)> take) {
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next())
    take(*field);
  return !reader.malformed();
}

/// Of pieces no more are kept than tell that there are too many.
bool readPieces(StringRef bytes, PieceModel &to) {
  bool isGood = true;
  isGood &= forEachField(bytes, [&](const wire::Field &field) {
    if (field.number == 1 && field.type == wire::Bytes) {
      if (to.pieces.size() > mostTokens)
        return;
      Piece &piece = to.pieces.emplace_back();
      isGood &= forEachField(field.bytes, [&](const wire::Field &part) {
        if (part.number == 1)
          piece.text = part.bytes.str();
        else if (part.number == 2)
          piece.score = bit_cast<float>(static_cast<uint32_t>(part.value));
        else if (part.number == 3)
          piece.type = part.value;
      });
    } else if (field.number == 2 && field.type == wire::Bytes) {
      isGood &= forEachField(field.bytes, [&](const wire::Field &part) {
        if (part.number == 3)
          to.model = part.value;
        else if (part.number == 24)
          to.hasSuffixBlanks = part.value;
        else if (part.number == 35)
          to.hasByteFallback = part.value;
        else if (part.number == 41)
          to.begin = part.value;
        else if (part.number == 42)
          to.end = part.value;
        else if (part.number == 44)
          to.unknownText = part.bytes.str();
      });
    } else if (field.number == 3 && field.type == wire::Bytes) {
      isGood &= forEachField(field.bytes, [&](const wire::Field &part) {
        if (part.number == 2)
          to.charsmap = part.bytes.str();
        else if (part.number == 3)
          to.addsPrefix = part.value;
        else if (part.number == 4)
          to.removesBlanks = part.value;
        else if (part.number == 5)
          to.escapesBlanks = part.value;
      });
    }
  });
  return isGood;
}

/// What the user defined is not normalized: it wins over the map of characters.
bool addNormalizer(const PieceModel &from, Tokenizer &to, Trouble &trouble) {
  TrieWords words;
  if (!from.charsmap.empty() && !readCharsmap(from.charsmap, to, words, trouble))
    return false;
  StringSet<> own;
  for (const Piece &piece : from.pieces)
    if (piece.type == UserPiece)
      own.insert(piece.text);
  if (!own.empty())
    erase_if(words, [&](const auto &word) { // keys are short
      for (size_t size = 1; size <= word.first.size(); ++size)
        if (own.contains(StringRef(word.first).take_front(size)))
          return true;
      return false;
    });
  for (const Piece &piece : from.pieces)
    if (piece.type == UserPiece)
      words.push_back({piece.text, to.addString(piece.text)});
  uint32_t trie = generation::noToken;
  if (!words.empty()) {
    trie = static_cast<uint32_t>(to.tries.size());
    to.tries.push_back(std::move(words));
  }
  uint32_t flags = (from.removesBlanks ? generation::DropsBlanks : 0) | (from.addsPrefix ? generation::AddsBlank : 0);
  to.normalizers.push_back({StepKind::PieceText, trie, flags, 0});
  return true;
}

/// What the user defined has a score by its bytes instead of its own, so that it wins unless likelier pieces overlap
/// it.
void readScores(const PieceModel &from, Tokenizer &to) {
  constexpr double ofByte = 0.1;
  float least = 0;
  bool isFirst = true;
  for (const Piece &piece : from.pieces) {
    if (piece.type == NormalPiece)
      least = isFirst ? piece.score : std::min(least, piece.score);
    isFirst &= piece.type != NormalPiece;
    float score =
        piece.type == UserPiece ? static_cast<float>(ofByte * static_cast<double>(piece.text.size() - 1)) : piece.score;
    to.scores.push_back(static_cast<double>(score));
  }
  to.unknownScore = least - 10.0f;
  to.sumsFloats = true;
}

/// Two neighbours merge where they are a piece together, those of the highest score first. A character may be part of
/// pieces without being one.
bool makePieceMerges(const PieceModel &from, Tokenizer &to, Trouble &trouble) {
  std::vector<float> scores;
  uint64_t work = 0;
  for (const Piece &piece : from.pieces)
    scores.push_back(piece.score);
  llvm::sort(scores, std::greater<float>());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  auto symbol = [&](StringRef text) {
    uint32_t id = to.idOf(text);
    if (id != generation::noToken)
      return from.pieces[id].type == NormalPiece ? id : generation::noToken;
    if (codePointsOf(text).size() != 1)
      return generation::noToken;
    auto next = static_cast<uint32_t>(to.words.size() + to.extraCharacters.size());
    return to.extraCharacters.insert({text, next}).first->second;
  };
  for (uint32_t id = 0; id < from.pieces.size(); ++id) {
    const Piece &piece = from.pieces[id];
    if (piece.type == UnusedPiece)
      return trouble.unsupported("a BPE model with pieces that are not used");
    StringRef text = piece.text;
    if (piece.type != NormalPiece || codePointsOf(text).size() < 2)
      continue;
    if (!isWithinMergeWork(text, work, trouble))
      return false;
    auto place = std::lower_bound(scores.begin(), scores.end(), piece.score, std::greater<float>());
    for (size_t cut = 1; cut < text.size(); ++cut) {
      if ((static_cast<uint8_t>(text[cut]) & 0xc0) == 0x80)
        continue;
      uint32_t left = symbol(text.take_front(cut)), right = symbol(text.drop_front(cut));
      if (left != generation::noToken && right != generation::noToken)
        to.merges.push_back({left, right, static_cast<uint32_t>(place - scores.begin()), id});
    }
    if (to.merges.size() > mostMerges)
      return trouble.tooLarge("more than " + Twine(mostMerges) + " merges");
  }
  if (from.hasByteFallback && !to.extraCharacters.empty())
    return trouble.unsupported("a BPE model with byte_fallback whose pieces have characters that are none");
  return true;
}

bool readModelParts(const PieceModel &from, Tokenizer &to, Trouble &trouble) {
  if (from.pieces.size() > mostTokens)
    return trouble.tooLarge("more than " + Twine(mostTokens) + " tokens");
  for (uint32_t id = 0; id < from.pieces.size(); ++id) {
    const Piece &piece = from.pieces[id];
    if (piece.text.empty() || !json::isUTF8(piece.text) || !std::isfinite(piece.score))
      return trouble.invalid("piece " + Twine(id) + " has no text or no finite score");
    if (!addWord(piece.text, id, to, trouble))
      return false;
    if (piece.type == UnknownPiece && to.unknown != generation::noToken)
      return trouble.invalid("the pieces " + Twine(to.unknown) + " and " + Twine(id) + " are both the unknown one");
    if (piece.type == UnknownPiece)
      to.unknown = id;
    const bool isUnigram = from.model == UnigramModel;
    to.inModel.push_back(piece.type == NormalPiece || (piece.type == UserPiece && isUnigram));
    if (piece.type == UserPiece && !isUnigram) // text is cut there before the model sees it
      to.added.push_back({piece.text, id, 0, true, true});
    TokenText text{piece.text, piece.text, 0};
    if (piece.type == BytePiece)
      text.rest = std::string(1, static_cast<char>(byteOfTokenName(piece.text).value_or(0)));
    else if (piece.type == UnknownPiece)
      text.rest = from.unknownText;
    else if (piece.type == ControlPiece)
      text.flags = generation::SpecialToken;
    else
      for (size_t at = 0; (at = text.rest.find("▁", at)) != std::string::npos; ++at)
        text.rest.replace(at, 3, " ");
    text.first = text.rest;
    bool losesBlank = (from.addsPrefix || from.removesBlanks) && StringRef(piece.text).starts_with("▁");
    if (losesBlank && text.first[0] == ' ') // the one that goes in front of all text
      text.first.erase(0, 1);
    if (text.first.empty() && (from.removesBlanks || text.rest.empty())) // one blank is lost, or all
      text.flags |= generation::KeepsFirst;
    to.texts.push_back(std::move(text));
  }
  auto control = [&](uint64_t id) {
    bool isControl = id < from.pieces.size() && from.pieces[id].type == ControlPiece;
    return isControl ? static_cast<uint32_t>(id) : generation::noToken;
  };
  to.begin = control(from.begin);
  to.end = control(from.end);
  return to.unknown != generation::noToken || trouble.invalid("no unknown piece");
}
} // namespace

bool isSentencePiece(StringRef bytes) { return bytes.size() > 2 && bytes[0] == '\n' && bytes[2] == '\n'; }

std::optional<Tokenizer> readSentencePiece(StringRef bytes, Trouble &trouble) {
  PieceModel from;
  Tokenizer to;
  bool isGood = readPieces(bytes, from) || trouble.invalid("the bytes are no ModelProto of SentencePiece");
  if (isGood && (from.hasSuffixBlanks || !from.escapesBlanks))
    isGood = trouble.unsupported("a SentencePiece model with blanks behind words, or without signs for them");
  if (isGood && from.model != UnigramModel && from.model != BpeModel)
    isGood = trouble.unsupported("a SentencePiece model of words or characters");
  if (!isGood || !readModelParts(from, to, trouble) || !addNormalizer(from, to, trouble))
    return std::nullopt;
  to.model = from.model == BpeModel ? generation::ModelKind::Bpe : generation::ModelKind::Unigram;
  to.hasByteFallback = from.hasByteFallback;
  to.fusesUnknown = to.replacesBytes = true;
  if (from.model == UnigramModel)
    readScores(from, to);
  else if (!makePieceMerges(from, to, trouble))
    return std::nullopt;
  return to;
}

} // namespace sinter::tokenizer
