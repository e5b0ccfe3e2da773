// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that cut strings into rows of tokens: tokens_of_characters.h, tokens_between.h, tokens_matching.h, with
// marks, what fills rows up, and too little room; hashes of strings: hash_text.h.
#include "doctest/doctest.h"
#include "templates/text/hash_text.h"
#include "templates/text/tokens_between.h"
#include "templates/text/tokens_matching.h"
#include "templates/text/tokens_of_characters.h"
#include "views.h"

#include <string>
#include <string_view>
#include <vector>

using namespace sinter;
using test::dense;

namespace {

sinter_string of(std::string_view text) { return {text.data(), text.size()}; }

/// Rows as text, tokens apart by '/', and how long rows are.
template <class Split>
std::string rows(const std::vector<std::string_view> &texts, int64_t capacity, int &status, Split split) {
  std::vector<sinter_string> x, y(texts.size() * static_cast<size_t>(capacity));
  for (std::string_view text : texts)
    x.push_back(of(text));
  int64_t width = -1;
  status = split(dense<const sinter_string>(x.data(), x.size()), dense(y.data(), x.size(), capacity),
                 View<int64_t, 0>{&width});
  std::string result;
  for (size_t i = 0; i < x.size(); ++i) {
    for (int64_t j = 0; j < width; ++j) {
      const sinter_string token = y[i * static_cast<size_t>(capacity) + static_cast<size_t>(j)];
      result += std::string(j ? "/" : "") + std::string(token.data, token.size);
    }
    result += "\n";
  }
  return result;
}

TEST_CASE("tokens_of_characters: of one to three bytes, rows filled up") {
  int status = -1;
  const auto split = [](auto x, auto y, auto width) {
    return tokensOfCharacters(TokensOfCharactersParams{"#", 1, 0}, x, y, width);
  };
  CHECK(rows({"aé—", "", "b"}, 3, status, split) == "a/é/—\n#/#/#\nb/#/#\n");
  CHECK(status == 0);
  CHECK(rows({"", ""}, 3, status, split) == "\n\n");
  rows({"abcd"}, 3, status, split);
  CHECK(status == kCapacityExceeded);
}

TEST_CASE("tokens_between: separators that overlap, least lengths, marks") {
  const sinter_string separators[] = {of("ax"), of("ab"), of("abc"), of("xx")};
  int status = -1;
  int64_t mark = 0, least = 1;
  const auto split = [&](auto x, auto y, auto width) {
    return tokensBetween(TokensBetweenParams{"-", 1, mark, least}, x, dense(separators, 4), y, width);
  };
  // "axx": the first separator wins over one that begins in it, and over one that begins with it.
  CHECK(rows({"1axx2", "1ab2", "1abc2", "1ab"}, 4, status, split) == "1/x2\n1/2\n1/c2\n1/-\n");
  least = 2;
  CHECK(rows({"1ax22ax3"}, 4, status, split) == "22\n");
  mark = 1;
  CHECK(rows({"11", "ax"}, 4, status, split) == "\x02/11/\x03\n\x02/\x03/-\n");
  CHECK(status == 0);
}

TEST_CASE("tokens_matching: the longest match from the left") {
  uint8_t kinds[256] = {};
  kinds['a'] = 1, kinds['b'] = 2;
  const int16_t next[] = {3, 1, 3, 3, 3, 2, 3, 1, 3}; // a(ba)*; 3 is never
  const bool accepts[] = {false, true, false};
  int status = -1;
  const auto split = [&](auto x, auto y, auto width) {
    return tokensMatching(TokensMatchingParams{"", 0, 0}, x, dense<const uint8_t>(kinds, 256), dense(next, 3, 3),
                          dense(accepts, 3), y, width);
  };
  CHECK(rows({"abab aba", "bbb"}, 4, status, split) == "aba/aba\n/\n");
}

TEST_CASE("hash_text: MurmurHash3 of its authors") {
  const sinter_string x[] = {of(""), of("a"), of("abc"), of("abcd"), of("Hello, world!")};
  uint32_t y[5];
  hashText(HashTextParams{0}, dense(x, 5), dense(y, 5));
  const uint32_t want[] = {0, 0x3c2569b2, 0xb3dd93fa, 0x43ed676a, 0xc0363e43};
  for (int i = 0; i < 5; ++i)
    CHECK(y[i] == want[i]);
  hashText(HashTextParams{1}, dense(x, 1), dense(y, 1));
  CHECK(y[0] == 0x514e28b7);
}

} // namespace
