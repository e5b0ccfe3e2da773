// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/unicode.h"

#include "runtime-lite/generation/unicode_utf8.h"
#include "support/embedded.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace sinter::unicode_data {
extern const EmbeddedFile embedded[];
}

namespace sinter::tokenizer {
namespace {
uint32_t hexadecimal(StringRef text) {
  uint32_t value = 0;
  (void)text.getAsInteger(16, value);
  return value;
}

/// The rows of the file: a heading, then lines of items.
struct UnicodeData {
  std::string version;
  StringMap<CodePointSet> sets;
  StringMap<Sequences> maps;
  std::map<uint32_t, uint16_t> classes;

  UnicodeData() {
    SmallVector<StringRef, 0> lines;
    StringRef(unicode_data::embedded[0].text).split(lines, '\n', -1, false);
    std::string heading;
    for (StringRef line : lines) {
      if (line.consume_front("version "))
        version = line.str();
      else if (isHeading(line))
        heading = line.str();
      else
        readItems(heading, line);
    }
  }

private:
  /// Headings are a kind and a name; items have digits, signs and letters of hexadecimal numbers alone.
  static bool isHeading(StringRef line) {
    for (StringRef kind : {"category ", "property ", "script ", "cluster ", "order ", "map "})
      if (line.starts_with(kind))
        return true;
    return false;
  }
  void readItems(StringRef heading, StringRef line) {
    SmallVector<StringRef, 0> items;
    line.split(items, ' ', -1, false);
    if (heading.starts_with("map ")) {
      Sequences &map = maps[heading.drop_front(4)];
      for (StringRef item : items) {
        auto [from, to] = item.split('=');
        SmallVector<StringRef> parts;
        to.split(parts, '+', -1, false);
        std::vector<uint32_t> &sequence = map[hexadecimal(from)];
        for (StringRef part : parts)
          sequence.push_back(hexadecimal(part));
      }
      return;
    }
    CodePointSet &set = sets[heading];
    CodePointSet added;
    for (StringRef item : items) {
      auto [first, last] = item.split('-');
      CodePointSet::Range range{hexadecimal(first), hexadecimal(last.empty() ? first : last)};
      added.append(range);
      uint32_t order = 0;
      if (heading.starts_with("order ") && !heading.drop_front(6).getAsInteger(10, order))
        for (uint32_t c = range.first; c <= range.second; ++c)
          classes[c] = static_cast<uint16_t>(order);
    }
    set.add(added);
  }
};

const UnicodeData &unicodeData() {
  static const UnicodeData data;
  return data;
}
} // namespace

StringRef unicodeVersion() { return unicodeData().version; }

CodePointSet unicodeCategory(StringRef name) {
  CodePointSet result;
  if (name == "LC")
    for (StringRef cased : {"Lu", "Ll", "Lt"})
      result.add(unicodeCategory(cased));
  else
    for (const auto &row : unicodeData().sets)
      if (row.getKey().starts_with("category ") && row.getKey().drop_front(9).starts_with(name) && !name.empty())
        result.add(row.getValue());
  return result;
}

const CodePointSet &unicodeSet(StringRef row) {
  static const CodePointSet none;
  auto found = unicodeData().sets.find(row);
  return found == unicodeData().sets.end() ? none : found->second;
}

const Sequences &unicodeMap(StringRef name) {
  static const Sequences none;
  auto found = unicodeData().maps.find(name);
  return found == unicodeData().maps.end() ? none : found->second;
}

const std::map<uint32_t, uint16_t> &combiningClasses() { return unicodeData().classes; }

static CodePointSet withOthers(CodePointSet set, ArrayRef<CodePointSet::Range> ranges) {
  for (auto [first, last] : ranges)
    set.add({first, last});
  return set;
}

/// Circled and squared letters are symbols, but alphabetic.
static CodePointSet alphabeticOrSo() {
  CodePointSet set;
  for (StringRef category : {"L", "M", "Nd", "Nl", "Pc"})
    set.add(unicodeCategory(category));
  return withOthers(set, {{0x24b6, 0x24e9}, {0x1f130, 0x1f149}, {0x1f150, 0x1f169}, {0x1f170, 0x1f189}});
}

const CodePointSet &wordCharacters() {
  static const CodePointSet set = withOthers(alphabeticOrSo(), {{0x200c, 0x200d}});
  return set;
}

const CodePointSet &regexWordCharacters(bool isInBrackets) {
  static const CodePointSet inBrackets = alphabeticOrSo();
  static const CodePointSet alone = withOthers(alphabeticOrSo(), {{0xb2, 0xb3}, {0xb9, 0xb9}, {0xbc, 0xbe}});
  return isInBrackets ? inBrackets : alone;
}

const CodePointSet &whiteSpace() { return unicodeSet("property White_Space"); }

const CodePointSet &ideographs() {
  static const CodePointSet set = withOthers({}, {{0x3400, 0x4dbf},
                                                  {0x4e00, 0x9fff},
                                                  {0xf900, 0xfaff},
                                                  {0x20000, 0x2a6df},
                                                  {0x2a700, 0x2b73f},
                                                  {0x2b740, 0x2b81f},
                                                  {0x2b920, 0x2ceaf},
                                                  {0x2f800, 0x2fa1f}});
  return set;
}

const CodePointSet &punctuation() { return unicodeSet("property Punctuation"); }

std::string utf8Of(uint32_t codePoint) {
  uint8_t bytes[4];
  uint32_t size = generation::writeCodePoint(bytes, codePoint);
  return std::string(bytes, bytes + size);
}

std::vector<uint32_t> codePointsOf(StringRef text) {
  std::vector<uint32_t> points;
  for (size_t at = 0; at < text.size();) {
    generation::CodePoint c = generation::readCodePoint(text.bytes_begin() + at);
    points.push_back(c.value);
    at += c.bytes;
  }
  return points;
}

} // namespace sinter::tokenizer
