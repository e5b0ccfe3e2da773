// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Search in chat templates, against std::string, and its time.
#include "runtime-lite/generation/chat_filters.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter::generation;

namespace {
ChatText view(const std::string &text) { return {text.data(), text.size()}; }
size_t expected(const std::string &text, const std::string &what, size_t from) {
  const size_t at = text.find(what, from);
  return at == std::string::npos ? text.size() + 1 : at;
}
/// Of the letters a, b, ...; the number's digits.
std::string word(size_t number, size_t size, size_t letters) {
  std::string made;
  for (size_t i = 0; i < size; ++i, number /= letters)
    made += char('a' + number % letters);
  return made;
}
} // namespace

TEST_CASE("all short texts of two letters are found where they are") {
  for (size_t textSize = 0; textSize <= 9; ++textSize)
    for (size_t number = 0; number < size_t(1) << textSize; ++number) {
      const std::string text = word(number, textSize, 2);
      for (size_t size = 0; size <= 5; ++size)
        for (size_t other = 0; other < size_t(1) << size; ++other) {
          const std::string what = word(other, size, 2);
          for (size_t from : {size_t(0), size_t(2)})
            if (find(view(text), view(what), from) != expected(text, what, from))
              FAIL_CHECK(what << " in " << text << " from " << from);
        }
    }
}

TEST_CASE("long texts with periods, nearly periods and bytes above 127") {
  uint32_t random = 1;
  const auto next = [&](uint32_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % below;
  };
  for (int round = 0; round < 1000; ++round) {
    const std::string unit = word(next(1000), 1 + next(7), 3);
    std::string what, text;
    while (what.size() < 5 + next(60))
      what += unit;
    what[next(uint32_t(what.size()))] = char(next(2) ? 'a' : 0xe0);
    while (text.size() < 400)
      text += next(3) ? unit : next(2) ? what : what.substr(next(uint32_t(what.size())));
    for (size_t from : {size_t(0), size_t(1), size_t(next(500))})
      REQUIRE(find(view(text), view(what), from) == expected(text, what, from));
  }
}

TEST_CASE("a search takes time of the texts' sizes") {
  const std::string text(1 << 22, 'a'), half(1 << 21, 'a');
  for (const std::string &what : {half + "b", "b" + half, half + "b" + half.substr(1), half.substr(1) + "ba"})
    CHECK(find(view(text), view(what)) == text.size() + 1);
  CHECK(find(view(text + "b" + text), view(half + "b")) == half.size());
}

TEST_CASE("stripping many characters of many ends") {
  std::vector<char> scratch(1 << 12);
  ChatMemory memory(scratch.data(), scratch.size());
  const std::string text(1 << 20, 'a'), characters = std::string(1 << 20, 'b') + "a";
  stripped(view(text), view(characters), StripBoth, memory);
  CHECK(memory.status == ChatTooLong);
  ChatMemory more(scratch.data(), scratch.size());
  CHECK(stripped(view("abcba"), view("ab"), StripBoth, more).size == 1);
  CHECK(more.isGood());
}
