// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of strings: change_case.h, concat_text.h, count_words.h, split_words.h, remove_words.h, match_text.h, on text
// of several alphabets, text that is no UTF-8, and where there is no room; of numbers: number_text.test.cpp.
#include "doctest/doctest.h"
#include "templates/text/change_case.h"
#include "templates/text/concat_text.h"
#include "templates/text/count_words.h"
#include "templates/text/match_text.h"
#include "templates/text/remove_words.h"
#include "templates/text/split_words.h"
#include "views.h"

#include <string>
#include <string_view>
#include <vector>

using namespace sinter;
using test::dense;

namespace {

sinter_string of(std::string_view text) { return {text.data(), text.size()}; }
std::string text(sinter_string s) { return {s.data, s.size}; }

/// Room for text, and what is used of it.
struct Room {
  int64_t used = 0;
  std::vector<char> bytes;
  explicit Room(size_t size) : bytes(size) {}
  View<int64_t, 0> count() { return {&used}; }
  View<char, 1> all() { return dense(bytes.data(), bytes.size()); }
};

std::string inCase(std::string_view given, int64_t wanted) {
  Room room(64);
  const sinter_string x = of(given);
  sinter_string y;
  REQUIRE(changeCase(ChangeCaseParams{wanted}, dense(&x, 1), dense(&y, 1), room.count(), room.all()) == 0);
  return text(y);
}

std::vector<std::string> split(std::string_view given, const char *delimiter, int64_t most = -1) {
  const sinter_string x = of(given);
  const auto size = int64_t(std::string_view(delimiter).size());
  int64_t count, longest;
  countWords(CountWordsParams{delimiter, size, most}, dense(&x, 1), dense(&count, 1), View<int64_t, 0>{&longest});
  CHECK(count == longest);
  std::vector<sinter_string> y(size_t(count + 1));
  splitWords(SplitWordsParams{delimiter, size, most}, dense(&x, 1), dense(y.data(), 1, y.size()));
  CHECK(y.back().size == 0);
  std::vector<std::string> words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(text(y[size_t(i)]));
  return words;
}

} // namespace

TEST_CASE("change_case: letters of several alphabets, one for one") {
  CHECK(inCase("Hello, World 42", kLowerCase) == "hello, world 42");
  CHECK(inCase("Hello, World 42", kUpperCase) == "HELLO, WORLD 42");
  CHECK(inCase("ÄÖÜ ß ñ", kLowerCase) == "äöü ß ñ");
  CHECK(inCase("äöü ß ñ ÿ", kUpperCase) == "ÄÖÜ ß Ñ Ÿ");
  CHECK(inCase("ΑΒΓ Привет Ǆ", kLowerCase) == "αβγ привет ǆ");
  CHECK(inCase("ⅷ 𐐨 你好", kUpperCase) == "Ⅷ 𐐀 你好");
  CHECK(inCase("a\xff\xc3 b\xe2\x82", kUpperCase) == "A\xff\xc3 B\xe2\x82"); // no UTF-8: bytes stay
  CHECK(inCase("", kUpperCase).empty());
}

TEST_CASE("change_case, concat_text: text is added, and no room is a status") {
  Room room(6);
  const sinter_string x[] = {of("ab"), of("c")}, more[] = {of("d"), of("ef")};
  sinter_string y[2], z[2];
  CHECK(changeCase(ChangeCaseParams{kUpperCase}, dense(x, 2), dense(y, 2), room.count(), room.all()) == 0);
  CHECK(room.used == 3);
  CHECK(concatText(dense(x, 2), dense(more, 2), dense(z, 2), room.count(), room.all()) == kCapacityExceeded);
  CHECK(text(z[0]) == "abd");
  CHECK(text(y[0]) == "AB");
  CHECK(text(y[1]) == "C");
  Room enough(6);
  CHECK(concatText(dense(x, 2), dense(more, 2), dense(z, 2), enough.count(), enough.all()) == 0);
  CHECK(text(z[1]) == "cef");
}

TEST_CASE("count_words, split_words: as Python splits") {
  using Words = std::vector<std::string>;
  CHECK(split("a,bc,,d", ",") == Words{"a", "bc", "", "d"});
  CHECK(split("a,bc,,d", ",", 1) == Words{"a", "bc,,d"});
  CHECK(split("a,bc", ",", 0) == Words{"a,bc"});
  CHECK(split("", ",") == Words{""});
  CHECK(split("aXYbXY", "XY") == Words{"a", "b", ""});
  CHECK(split("  a \t b\n", "") == Words{"a", "b"});
  CHECK(split("  a  b c ", "", 1) == Words{"a", "b c "});
  CHECK(split(" \t ", "").empty());
}

TEST_CASE("remove_words: whole strings, in a case; where none is left an empty one") {
  const sinter_string x[] = {of("Monday"), of("tuesday"), of("MONDAY"), of("ÄÖ")}, words[] = {of("monday"), of("äö")};
  sinter_string y[4];
  int64_t count;
  removeWords(RemoveWordsParams{kKeepCase}, dense(x, 4), dense(words, 2), dense(y, 4), View<int64_t, 0>{&count});
  CHECK(count == 4);
  removeWords(RemoveWordsParams{kLowerCase}, dense(x, 4), dense(words, 2), dense(y, 4), View<int64_t, 0>{&count});
  REQUIRE(count == 1);
  CHECK(text(y[0]) == "tuesday");
  removeWords(RemoveWordsParams{kLowerCase}, dense(x, 1), dense(words, 2), dense(y, 4), View<int64_t, 0>{&count});
  REQUIRE(count == 1);
  CHECK(text(y[0]).empty());
}

TEST_CASE("match_text: an automaton for a(ba)*") {
  uint8_t kinds[256] = {};
  kinds['a'] = 1, kinds['b'] = 2;
  const int16_t next[] = {2, 1, 2, 2, 2, 0}; // two states; 2 is never
  const bool accepts[] = {false, true};
  const sinter_string x[] = {of("a"), of("aba"), of(""), of("ab"), of("ac"), of("aa")};
  bool y[6];
  matchText(dense(x, 6), dense<const uint8_t>(kinds, 256), dense(next, 2, 3), dense(accepts, 2), dense(y, 6));
  const bool want[] = {true, true, false, false, false, false};
  for (int i = 0; i < 6; ++i)
    CHECK(y[i] == want[i]);
}
