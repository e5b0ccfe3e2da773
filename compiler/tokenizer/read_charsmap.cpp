// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SentencePiece's compiled map of characters: the length of a double array (of the library Darts-clone), the array, and
// the strings that it leads to, each ended by a zero. It is taken apart into words here, and becomes one of our tries.
#include "tokenizer/read_parts.h"

#include "llvm/Support/Endian.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
constexpr size_t longestKey = 64, mostKeys = 1u << 20;

struct DartsUnit {
  uint32_t bits;
  bool hasLeaf() const { return bits >> 8 & 1; }
  uint32_t value() const { return bits & 0x7fffffff; }
  uint32_t label() const { return bits & 0x800000ff; }
  uint32_t offset() const { return bits >> 10 << ((bits & 0x200) >> 6); }
};
} // namespace

bool readCharsmap(StringRef bytes, Tokenizer &to, TrieWords &words, Trouble &trouble) {
  if (bytes.size() < 4)
    return trouble.invalid("the map of characters is cut off");
  uint32_t size = support::endian::read32le(bytes.data());
  if (size % 4 || size > bytes.size() - 4)
    return trouble.invalid("the map of characters is cut off");
  StringRef units = bytes.substr(4, size), strings = bytes.substr(4 + size);
  auto unit = [&](uint32_t i) {
    return DartsUnit{i < units.size() / 4 ? support::endian::read32le(units.data() + size_t(i) * 4) : 0x80000000u};
  };
  struct Place {
    uint32_t at;
    std::string key;
  };
  // A node of a good array has one parent; of another one the number of words and their lengths are bounded.
  std::vector<Place> open = {{unit(0).offset(), ""}};
  size_t steps = 0;
  std::map<uint32_t, uint32_t> numbers; // of strings, by where they begin
  while (!open.empty()) {
    Place place = std::move(open.back());
    open.pop_back();
    if (++steps > mostKeys || place.key.size() > longestKey)
      return trouble.tooLarge("the map of characters has more than " + Twine(mostKeys) + " parts");
    for (uint32_t byte = 1; byte < 256; ++byte) {
      DartsUnit child = unit(place.at ^ byte);
      if (child.label() != byte)
        continue;
      std::string key = place.key + static_cast<char>(byte);
      uint32_t next = place.at ^ byte ^ child.offset();
      if (child.hasLeaf()) {
        uint32_t from = unit(next).value();
        StringRef with = strings.substr(from, longestString + 1);
        size_t end = with.find('\0');
        if (end == StringRef::npos)
          return with.size() > longestString
                     ? trouble.tooLarge("the map of characters has a string of more than " + Twine(longestString) +
                                        " bytes")
                     : trouble.invalid("the map of characters leads to a string that is not there");
        with = with.take_front(end);
        if (!json::isUTF8(with) || !json::isUTF8(key))
          return trouble.invalid("the map of characters has text that is no UTF-8");
        auto [number, isNew] = numbers.insert({from, 0});
        if (isNew)
          number->second = to.addString(with);
        words.push_back({key, number->second});
      }
      open.push_back({next, std::move(key)});
    }
  }
  return true;
}

} // namespace sinter::tokenizer
