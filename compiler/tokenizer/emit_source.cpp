// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/emit.h"

#include "support/text_library.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter::tokenizer_headers {
extern const EmbeddedFile embedded[];
}

namespace sinter::tokenizer {
namespace {
/// In the order in which they include each other.
constexpr StringLiteral headerOrder[] = {
    "unicode_utf8.h",        "tokenizer_tables.h", "regex_dfa.h",        "tokenizer_scratch.h", "unicode_normalize.h",
    "tokenizer_normalize.h", "tokenizer_front.h",  "tokenizer_split.h",  "tokenizer_output.h",  "tokenizer_bpe.h",
    "tokenizer_unigram.h",   "tokenizer_words.h",  "tokenizer_encode.h", "tokenizer_decode.h"};

class SourcePrinter {
public:
  explicit SourcePrinter(raw_ostream &out) : out(out) {}

  template <class T>
  std::string array(StringRef type, const Twine &name, const std::vector<T> &values) {
    printTable(out, (type + " " + name).str(), values, [](const T &value) { return textOf(value); });
    return name.str();
  }
  std::string map(const Twine &name, const MapArrays &arrays) {
    std::string index = array("uint16_t", name + "Index", arrays.index),
                blocks = array("uint16_t", name + "Blocks", arrays.blocks);
    return "{" + index + ", " + blocks + "}";
  }

private:
  static std::string textOf(uint32_t value) { return std::to_string(value) + (value > 0x7fffffff ? "u" : ""); }
  static std::string textOf(uint16_t value) { return std::to_string(value); }
  static std::string textOf(uint8_t value) { return std::to_string(value); }
  static std::string textOf(double value) {
    std::string text;
    raw_string_ostream(text) << format("%a", value);
    return text;
  }
  static std::string textOf(const Step &step) {
    return "{StepKind(" + std::to_string(static_cast<uint32_t>(step.kind)) + "), " + textOf(step.a) + ", " +
           textOf(step.b) + ", " + textOf(step.growth) + "}";
  }
  static std::string textOf(const generation::AddedToken &token) {
    return "{" + textOf(token.id) + "," + textOf(token.flags) + "}";
  }
  static std::string textOf(const generation::Merge &merge) {
    return "{" + textOf(merge.left) + "," + textOf(merge.right) + "," + textOf(merge.rank) + "," + textOf(merge.token) +
           "}";
  }
  static std::string textOf(const std::string &text) { return text; }
  raw_ostream &out;
};

std::string number(uint64_t value) { return std::to_string(value) + (value > 0x7fffffff ? "u" : ""); }

void printTables(const CompiledTokenizer &t, raw_ostream &out) {
  SourcePrinter print(out);
  std::vector<std::string> members;
  auto add = [&](std::string member) { members.push_back(std::move(member)); };
  auto addBool = [&](bool value) { add(value ? "true" : "false"); };
  add(print.map("classes", t.classes));
  add(number(t.numbers.classCount));
  std::vector<std::string> parts;
  for (auto [i, regex] : enumerate(t.regexes))
    parts.push_back("{" + print.array("uint16_t", "regex" + Twine(i), regex) + "}");
  add(print.array("Regex", "regexes", parts));
  parts.clear();
  for (auto [i, mapping] : enumerate(t.mappings)) {
    std::string map = print.map("mapping" + Twine(i), mapping.map),
                starts = print.array("uint32_t", "mapping" + Twine(i) + "Starts", mapping.starts),
                sequences = print.array("uint32_t", "mapping" + Twine(i) + "Sequences", mapping.sequences);
    parts.push_back("{" + map + ", " + starts + ", " + sequences + "}");
  }
  add(print.array("Mapping", "mappings", parts));
  parts.clear();
  for (auto [i, trie] : enumerate(t.tries))
    parts.push_back("{" + print.array("uint32_t", "trie" + Twine(i), trie) + "}");
  add(print.array("Trie", "tries", parts));
  add(print.array("uint32_t", "stringStarts", t.strings.starts));
  add(print.array("uint8_t", "stringBytes", t.strings.bytes));
  add(print.map("properties", t.properties));
  add(print.map("orders", t.orders));
  add(print.array("uint32_t", "compositions", t.compositions));
  add(number(t.compositions.size() / 3));
  add(print.array("Step", "normalizers", t.normalizers));
  add(number(t.normalizers.size()));
  add(print.array("Step", "splits", t.splits));
  add(number(t.splits.size()));
  add("{" + print.array("uint32_t", "addedRaw", t.addedRaw) + "}");
  add("{" + print.array("uint32_t", "addedNormalized", t.addedNormalized) + "}");
  addBool(t.numbers.hasAddedRaw);
  addBool(t.numbers.hasAddedNormalized);
  add(print.array("AddedToken", "addedTokens", t.added));
  add("ModelKind(" + number(static_cast<uint32_t>(t.numbers.model)) + ")");
  addBool(t.numbers.isBytes);
  addBool(t.numbers.fusesUnknown);
  addBool(t.numbers.sumsFloats);
  add("{" + print.array("uint32_t", "vocabulary", t.vocabulary) + "}");
  add("{" + print.array("uint32_t", "characters", t.characters) + "}");
  addBool(t.numbers.hasVocabulary);
  addBool(t.numbers.hasAffixes);
  add(t.byteTokens.empty() ? "nullptr" : print.array("uint32_t", "byteTokens", t.byteTokens));
  add(number(t.numbers.laterPrefix));
  add(number(t.numbers.lastSuffix));
  add(number(t.numbers.unknown));
  add(number(t.numbers.vocabularySize));
  add(print.array("Merge", "merges", t.merges));
  add(print.array("uint32_t", "mergeSeeds", t.mergeSeeds));
  add(number(t.merges.size()));
  add(number(t.mergeSeeds.size()));
  add(number(t.numbers.mergeSalt));
  add(print.array("double", "scores", t.scores));
  std::string unknownScore;
  raw_string_ostream(unknownScore) << format("%a", t.numbers.unknownScore);
  add(unknownScore);
  add(number(t.numbers.longestWord));
  std::string leadScore;
  raw_string_ostream(leadScore) << format("%a", t.numbers.leadScore);
  add(leadScore);
  add(number(t.numbers.leadAt));
  add(t.pieceIds.empty() ? "nullptr" : print.array("uint32_t", "pieceIds", t.pieceIds));
  add("{" + print.array("uint32_t", "unknownWords", t.unknownWords) + "}");
  add("{" + print.array("uint32_t", "languageCodes", t.languageCodes) + "}");
  addBool(t.numbers.hasUnknownWords);
  addBool(t.numbers.hasLanguageCodes);
  add(print.array("uint32_t", "prefixTokens", t.prefix));
  add(number(t.prefix.size()));
  add(print.array("uint32_t", "suffixTokens", t.suffix));
  add(number(t.suffix.size()));
  add(number(t.numbers.frontBlank));
  addBool(t.numbers.putsFrontBlank);
  addBool(t.numbers.endsOnce);
  add(print.array("uint32_t", "tokenStarts", t.tokens.starts));
  bool hasFirsts = t.firsts.starts.size() > 1;
  add(hasFirsts ? print.array("uint32_t", "firstStarts", t.firsts.starts) : "nullptr");
  add(print.array("uint8_t", "tokenBytes", t.tokens.bytes));
  add(hasFirsts ? print.array("uint8_t", "firstBytes", t.firsts.bytes) : "nullptr");
  add(print.array("uint8_t", "tokenFlags", t.tokenFlags));
  add(number(t.tokenFlags.size()));
  add(number(t.numbers.strippedByte));
  add(number(t.numbers.strippedCount));
  addBool(t.numbers.replacesBytes);
  addBool(t.numbers.decodesGroups);
  add(number(t.numbers.scratchPerByte));
  out << "const Tables tables = {" << join(members, ", ") << "};\n";
}

/// @ is the prefix.
constexpr StringLiteral functionsText = R"(
int64_t @_encode_in(const char *text, size_t bytes, int32_t *ids, size_t capacity, uint32_t flags, void *scratch,
                    size_t scratch_bytes) {
  return encode(tables, text, bytes, ids, capacity, flags, scratch, scratch_bytes);
}

size_t @_scratch_bytes(size_t bytes) { return scratchFor(tables, bytes); }

int64_t @_encode(const char *text, size_t bytes, int32_t *ids, size_t capacity, uint32_t flags) {
  // Most texts need a small part of what the worst one does, short ones that of the stack.
  char small[16384];
  int64_t count = encode(tables, text, bytes, ids, capacity, flags, small, sizeof(small));
  size_t most = scratchFor(tables, bytes);
  for (size_t size = bytes * 64 + 4096; count == EncodeNeedsScratch; size *= 4) {
    bool isAll = size >= most;
    void *memory = malloc(isAll ? most : size);
    if (!memory)
      return EncodeNeedsScratch;
    count = encode(tables, text, bytes, ids, capacity, flags, memory, isAll ? most : size);
    free(memory);
    if (isAll)
      break;
  }
  return count;
}

int64_t @_decode(const int32_t *ids, size_t count, char *text, size_t capacity, uint32_t flags) {
  return int64_t(decode(tables, ids, count, text, capacity, flags));
}

static_assert(sizeof(DecodeState) == sizeof(@_stream), "a stream is a state");

size_t @_stream_next(@_stream *stream, int32_t id, char *text, size_t capacity, uint32_t flags) {
  DecodeState state;
  memcpy(&state, stream, sizeof(state));
  size_t count = decodeNext(tables, state, id, text, capacity, flags);
  memcpy(stream, &state, sizeof(state));
  return count;
}

size_t @_stream_end(@_stream *stream, char *text, size_t capacity) {
  DecodeState state;
  memcpy(&state, stream, sizeof(state));
  size_t count = decodeEnd(tables, state, text, capacity);
  memcpy(stream, &state, sizeof(state));
  return count;
}

int32_t @_token(const char *text, size_t bytes) { return findToken(tables, text, bytes); }
)";
} // namespace

std::string emitSource(const CompiledTokenizer &tokenizer, StringRef prefix) {
  std::string text;
  raw_string_ostream out(text);
  out << "// Made by sinter tokenizer; " << prefix << ".h says what it does. C++17, no other library.\n#include \""
      << prefix << ".h\"\n\n#include <stdlib.h>\n#include <string.h>\n\nnamespace sinter_" << prefix << " {\n";
  for (StringRef header : headerOrder)
    out << generationBody(tokenizer_headers::embedded, header);
  printTables(tokenizer, out);
  out << "} // namespace sinter_" << prefix << "\nusing namespace sinter_" << prefix << ";\n";
  out << withPrefix(functionsText, prefix);
  return text;
}

} // namespace sinter::tokenizer
