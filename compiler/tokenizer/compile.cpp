// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/compile.h"

#include "runtime-lite/generation/tokenizer_normalize.h"
#include "tokenizer/compile_parts.h"
#include "tokenizer/map_arrays.h"
#include "tokenizer/regex_automaton.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
bool compileRegexes(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble) {
  Expected<CharacterClasses> classes = classesOf(from.regexes);
  auto nameOf = [&](size_t i) {
    bool isGiven = i == 0 && !from.givenPattern.empty();
    return isGiven ? from.givenPattern : "number " + std::to_string(i + 1) + " of the file";
  };
  if (!classes)
    return trouble.pattern(from.givenPattern, classes.takeError());
  std::vector<uint16_t> numbers(lastCodePoint + 1);
  for (size_t i = 0; i < classes->ranges.size(); ++i)
    for (uint32_t c = classes->ranges[i].first; c <= classes->ranges[i].second; ++c)
      numbers[c] = classes->classOf[i];
  to.classes = mapArraysOf(numbers);
  to.numbers.classCount = classes->count + 1;
  for (const RegexNode &regex : from.regexes) {
    Expected<std::vector<uint16_t>> table = automatonOf(regex, *classes);
    if (!table)
      return trouble.pattern(nameOf(to.regexes.size()), table.takeError());
    to.regexes.push_back(std::move(*table));
  }
  return true;
}

void compileCharacters(const Tokenizer &from, CompiledTokenizer &to) {
  std::vector<uint16_t> properties(lastCodePoint + 1), orders;
  auto mark = [&](const CodePointSet &set, uint16_t property) {
    for (auto [first, last] : set.ranges())
      for (uint32_t c = first; c <= last; ++c)
        properties[c] |= property;
  };
  auto uses = [&](StepKind kind) {
    return any_of(from.normalizers, [&](const Step &step) { return step.kind == kind; });
  };
  mark(whiteSpace(), generation::WhiteSpace);
  mark(wordCharacters(), generation::WordCharacter);
  if (uses(StepKind::Ideographs))
    mark(ideographs(), generation::Ideograph);
  if (uses(StepKind::Precompiled)) {
    for (StringRef row : {"cluster Extend", "cluster SpacingMark"})
      mark(unicodeSet(row), generation::ClusterExtend);
    mark({0x200d, 0x200d}, generation::ClusterExtend);
    mark(unicodeSet("cluster Prepend"), generation::ClusterPrepend);
    mark(unicodeSet("cluster Control"), generation::ClusterControl);
    mark({'\n', '\n'}, generation::ClusterControl);
    mark({'\r', '\r'}, generation::ClusterControl);
  }
  to.properties = mapArraysOf(properties);
  if (uses(StepKind::Canonical)) {
    orders.resize(lastCodePoint + 1);
    for (auto [c, order] : combiningClasses())
      orders[c] = order;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> pairs;
    for (const auto &[c, pair] : unicodeMap("compose"))
      pairs[{pair[0], pair[1]}] = c;
    for (const auto &[pair, c] : pairs)
      for (uint32_t part : {pair.first, pair.second, c})
        to.compositions.push_back(part);
  }
  to.orders = mapArraysOf(orders);
}

/// What a step makes of one byte, at most: of a character as its bytes, rounded up.
uint32_t growthOf(const Tokenizer &from, const Step &step) {
  auto ratio = [](size_t to, size_t of) { return static_cast<uint32_t>((to + of - 1) / of); };
  uint32_t most = 1;
  if (step.kind == StepKind::Map || step.kind == StepKind::Canonical) {
    for (const auto &[c, sequence] : from.mappings[step.a]) {
      size_t bytes = 0;
      for (uint32_t part : sequence)
        bytes += utf8Of(part).size();
      most = std::max(most, ratio(std::max(bytes, sequence.size()), utf8Of(c).size()));
    }
    return step.kind == StepKind::Canonical ? std::max(most, 3u)
                                            : most; // a syllable of Hangul is three parts of three bytes
  }
  if (step.kind == StepKind::PieceText) {
    most = 3; // of a blank
    if (step.a != generation::noToken)
      for (const auto &[word, string] : from.tries[step.a]) {
        StringRef text = from.strings[string];
        most = std::max(most, ratio(text.size() + 2 * text.count(' '), word.size()));
      }
    return most;
  }
  if (step.kind == StepKind::Precompiled) {
    for (const auto &[word, string] : from.tries[step.a])
      most = std::max(most, ratio(from.strings[string].size(), word.size()));
    return most;
  }
  if (step.kind == StepKind::Ideographs)
    return 2; // two blanks around three bytes or more
  if (step.kind == StepKind::Replace)
    return std::max<uint32_t>(1, static_cast<uint32_t>(from.strings[step.b].size()));
  if (step.kind == StepKind::Substitute)
    return std::max<uint32_t>(1, ratio(from.strings[step.b].size(), utf8Of(step.a).size()));
  return 1;
}

/// Step by step, what encoding a byte needs of scratch.
bool boundScratch(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble) {
  if (from.normalizers.size() + from.splits.size() > mostTextSteps)
    return trouble.tooLarge("more than " + Twine(mostTextSteps) + " steps of normalizers and pre-tokenizers");
  uint64_t bytes = 3, growth = 3, strings = 0; // bytes that are no text become U+FFFD
  for (auto [steps, into] : {std::pair(&from.normalizers, &to.normalizers), {&from.splits, &to.splits}})
    for (Step step : *steps) {
      step.growth = growthOf(from, step);
      growth *= step.growth;
      bytes += growth + (step.kind == StepKind::Canonical ? 8 * growth : 0);
      if (step.kind == StepKind::PieceText)
        strings = std::max<uint64_t>(strings, generation::pieceBlank.size);
      else if (step.kind != StepKind::Map && step.kind != StepKind::Canonical && step.kind != StepKind::Split)
        for (uint32_t string : {step.a, step.b})
          if (string < from.strings.size())
            strings = std::max<uint64_t>(strings, from.strings[string].size());
      if (growth > mostGrowth || strings > longestString)
        return trouble.tooLarge("normalizing would make more than " + Twine(mostGrowth) + " bytes of one");
      into->push_back(step);
    }
  // Each step may add a string and rounding to what is one byte long; BPE has 12 bytes for a symbol and 24 for its
  // merges, and symbols for bytes of affixes too.
  uint64_t symbols = 1;
  if (from.model == generation::ModelKind::Bpe && from.hasByteFallback)
    symbols += from.laterPrefix.size() + from.lastSuffix.size();
  uint64_t perByte = bytes + (growth + strings * (from.normalizers.size() + from.splits.size())) * 40 * symbols;
  if (perByte > UINT32_MAX)
    return trouble.tooLarge("encoding would take more than " + Twine(UINT32_MAX) + " bytes of memory for one");
  to.numbers.scratchPerByte = static_cast<uint32_t>(perByte);
  return true;
}

bool compileTextSteps(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble) {
  bool isGood = compileRegexes(from, to, trouble);
  compileCharacters(from, to);
  isGood = isGood && boundScratch(from, to, trouble);
  for (const Sequences &mapping : from.mappings) {
    std::optional<MappingArrays> arrays = mappingArraysOf(mapping);
    if (!arrays)
      return trouble.tooLarge("a normalizer makes more than " + Twine(UINT16_MAX) + " different texts of characters");
    to.mappings.push_back(std::move(*arrays));
  }
  for (const TrieWords &words : from.tries)
    isGood = isGood && compileTrie(words, to.tries.emplace_back(), trouble);
  for (const std::string &string : from.strings)
    to.strings.add(string);
  return isGood;
}
} // namespace

std::optional<CompiledTokenizer> compileNormalizers(const Tokenizer &from, Trouble &trouble) {
  CompiledTokenizer to;
  if (!compileTextSteps(from, to, trouble))
    return std::nullopt;
  return to;
}

std::optional<CompiledTokenizer> compileTokenizer(Tokenizer from, Trouble &trouble) {
  CompiledTokenizer to;
  if (!compileTextSteps(from, to, trouble) || !compileModel(from, to, trouble) || !compileAdded(from, to, trouble))
    return std::nullopt;
  to.prefix = from.prefix;
  to.begin = from.begin;
  to.end = from.end;
  to.suffix = from.suffix;
  compileTexts(from, to);
  return to;
}

void CompiledTokenizer::view(View &view) const {
  auto mapView = [](const MapArrays &arrays) {
    return generation::CodePointMap{arrays.index.data(), arrays.blocks.data()};
  };
  for (const auto &regex : regexes)
    view.regexes.push_back({regex.data()});
  for (const MappingArrays &mapping : mappings)
    view.mappings.push_back({mapView(mapping.map), mapping.starts.data(), mapping.sequences.data()});
  for (const auto &trie : tries)
    view.tries.push_back({trie.data()});
  generation::Tables &tables = view.tables = numbers;
  tables.classes = mapView(classes);
  tables.regexes = view.regexes.data();
  tables.mappings = view.mappings.data();
  tables.tries = view.tries.data();
  tables.stringStarts = strings.starts.data();
  tables.stringBytes = strings.bytes.data();
  tables.properties = mapView(properties);
  tables.orders = mapView(orders);
  tables.compositions = compositions.data();
  tables.compositionCount = static_cast<uint32_t>(compositions.size() / 3);
  tables.normalizers = normalizers.data();
  tables.normalizerCount = static_cast<uint32_t>(normalizers.size());
  tables.splits = splits.data();
  tables.splitCount = static_cast<uint32_t>(splits.size());
  tables.addedRaw = {addedRaw.data()};
  tables.addedNormalized = {addedNormalized.data()};
  tables.addedTokens = added.data();
  tables.vocabulary = {vocabulary.data()};
  tables.characters = {characters.data()};
  tables.byteTokens = byteTokens.empty() ? nullptr : byteTokens.data();
  tables.merges = merges.data();
  tables.mergeSeeds = mergeSeeds.data();
  tables.mergeCount = static_cast<uint32_t>(merges.size());
  tables.mergeBuckets = static_cast<uint32_t>(mergeSeeds.size());
  tables.scores = scores.data();
  tables.pieceIds = pieceIds.empty() ? nullptr : pieceIds.data();
  tables.unknownWords = {unknownWords.data()};
  tables.languageCodes = {languageCodes.data()};
  tables.prefix = prefix.data();
  tables.prefixCount = static_cast<uint32_t>(prefix.size());
  tables.suffix = suffix.data();
  tables.suffixCount = static_cast<uint32_t>(suffix.size());
  tables.tokenStarts = tokens.starts.data();
  tables.tokenBytes = tokens.bytes.data();
  tables.firstStarts = firsts.starts.size() > 1 ? firsts.starts.data() : nullptr;
  tables.firstBytes = firsts.bytes.data();
  tables.tokenFlags = tokenFlags.data();
  tables.tokenCount = static_cast<uint32_t>(tokenFlags.size());
}

} // namespace sinter::tokenizer
