// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_mutator.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace llvm;

/// Of libFuzzer, or of smoke.cpp.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

namespace sinter {
namespace {

constexpr StringLiteral openers = "([{", closers = ")]}";
const char *const extremes[] = {"0",
                                "-1",
                                "1",
                                "2",
                                "255",
                                "65536",
                                "2147483647",
                                "4294967296",
                                "9223372036854775807",
                                "-9223372036854775808",
                                "1e308",
                                "1e-320",
                                "0.5",
                                "true",
                                "null",
                                "\"\"",
                                "[]",
                                "{}"};
const char *const hostile[] = {"\\u0000",
                               "\xed\xa0\x80",
                               "\xff",
                               "\\ud800",
                               "\xf4\x8f\xbf\xbf",
                               "\xef\xbf\xbd",
                               "\\",
                               "\"",
                               "'",
                               "{{",
                               "%}",
                               "::=",
                               "|",
                               "*",
                               "?",
                               "{0,2000}",
                               "#",
                               "^",
                               "$",
                               "\\p{L}",
                               "(?:",
                               "[^"};

struct Span {
  size_t from, to;
};

/// Names, numbers, quoted texts, signs one by one.
std::vector<Span> wordsOf(StringRef text) {
  std::vector<Span> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (isAlnum(text[at]) || text[at] == '_') {
      while (end < text.size() && (isAlnum(text[end]) || text[end] == '_'))
        ++end;
    } else if (text[at] == '"') {
      while (end < text.size() && text[end] != '"')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    }
    words.push_back({at, end});
    at = end;
  }
  return words;
}

/// What is between two brackets, with these.
std::vector<Span> groupsOf(StringRef text, const std::vector<Span> &words) {
  std::vector<Span> groups;
  std::vector<size_t> open;
  for (const Span &word : words)
    if (openers.contains(text[word.from])) {
      open.push_back(word.from);
    } else if (closers.contains(text[word.from]) && !open.empty()) {
      groups.push_back({open.back(), word.to});
      open.pop_back();
    }
  return groups;
}

class TextMutation {
public:
  TextMutation(StringRef text, unsigned seed) : text(text.str()), random(seed) {}

  std::string made() {
    for (size_t times = 1 + below(4); times-- > 0;)
      once();
    return text;
  }

private:
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random); }
  template <class List>
  auto &oneOf(List &list) {
    return list[below(std::size(list))];
  }

  void once() {
    std::vector<Span> words = wordsOf(text), groups = groupsOf(text, words);
    if (words.empty()) {
      text = oneOf(hostile);
      return;
    }
    const std::vector<Span> &kind = groups.empty() || below(2) ? words : groups;
    Span at = oneOf(kind), other = oneOf(kind);
    std::string part = text.substr(at.from, at.to - at.from), with = text.substr(other.from, other.to - other.from);
    auto put = [&](const std::string &what) { text.replace(at.from, at.to - at.from, what); };
    switch (below(8)) {
    case 0:
      return put("");
    case 1: // often enough for what grows by the square
      return put(repeated(part, below(8) ? 2 : 1 + below(300)));
    case 2:
      return put(with);
    case 3: // once more within itself, or deep
      return put(nested(part, below(4) ? 1 : 1 + below(100)));
    case 4:
      return put(oneOf(extremes));
    case 5:
      text.insert(at.from + below(part.size() + 1), oneOf(hostile));
      return;
    case 6:
      text.resize(below(8) ? at.to : at.from);
      return;
    default:
      byByte();
    }
  }
  static std::string repeated(const std::string &part, size_t times) {
    std::string all;
    while (times-- > 0)
      all += part;
    return all;
  }
  std::string nested(const std::string &part, size_t times) {
    size_t cut = below(part.size() + 1);
    return repeated(part.substr(0, cut), times) + part + repeated(part.substr(cut), times);
  }
  void byByte() {
    size_t size = text.size(), most = size + 8;
    text.resize(most);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(text.data()), size, most));
  }

  std::string text;
  std::mt19937 random;
};
} // namespace

size_t mutateText(uint8_t *data, size_t size, size_t most, unsigned seed) {
  std::string made = TextMutation({reinterpret_cast<const char *>(data), size}, seed).made();
  if (made.size() > most)
    return size;
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

} // namespace sinter
