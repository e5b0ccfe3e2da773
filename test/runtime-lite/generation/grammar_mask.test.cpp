// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grammar_mask.h: which tokens follow, with masks that are kept and without; what a number of tokens leaves of them.
#include "brackets.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter::generation;

namespace {

/// ids: "(", ")", "()))", "(())", and one that ends texts
struct Words {
  char bytes[12] = "()()))(())";
  int32_t ends[5] = {1, 2, 6, 10, 10}, order[5] = {4, 0, 3, 2, 1}, shared[5] = {0, 0, 1, 1, 0},
          jumps[5] = {5, 5, 4, 4, 5};
  sinter_token_trie view() const { return {bytes, ends, order, shared, jumps, 5}; }
};

/// The mask behind a text, asked twice with a cache and once without.
uint32_t maskBehind(const char *text, size_t size, int32_t budget, int32_t capacity = 4) {
  const Brackets brackets;
  const Words words;
  const sinter_grammar view = brackets.view();
  const sinter_token_trie trie = words.view();
  int32_t stack[4] = {};
  Grammar grammar(view, stack, capacity);
  REQUIRE(grammar.take(text, size));
  std::vector<uint32_t> cache(grammarCacheBytes(5) / sizeof(uint32_t));
  const int32_t end = 4;
  uint32_t mask = 0, kept = 0, again = 0;
  const bool isAny = allowTokens(grammar, trie, {&end, 1, budget}, nullptr, &mask, 5);
  allowTokens(grammar, trie, {&end, 1, budget}, cache.data(), &kept, 5);
  allowTokens(grammar, trie, {&end, 1, budget}, cache.data(), &again, 5);
  CHECK(isAny == (mask != 0));
  CHECK(kept == mask);
  CHECK(again == mask);
  return mask;
}

} // namespace

TEST_CASE("grammar_mask: tokens that fit, the end where the text may end") {
  CHECK(maskBehind("", 0, 0) == 0b01001);
  CHECK(maskBehind("(", 1, 0) == 0b01011);
  CHECK(maskBehind("((", 2, 0) == 0b01111);
  CHECK(maskBehind("()", 2, 0) == 0b10000);
}
TEST_CASE("grammar_mask: nothing is deeper than the stack") {
  CHECK(maskBehind("(((", 3, 0, 3) == 0b00111); // "(())" would be the fifth
}
TEST_CASE("grammar_mask: a text is completed by the last token") {
  CHECK(maskBehind("((", 2, 3) == 0b01110);
  CHECK(maskBehind("((", 2, 4) == 0b01111);
  CHECK(maskBehind("((", 2, 1) == 0b00110); // too few: what brings it nearer
}
TEST_CASE("grammar_mask: a vocabulary larger than the model's") {
  const Brackets brackets;
  const Words words;
  const sinter_grammar view = brackets.view();
  const sinter_token_trie trie = words.view();
  int32_t stack[4] = {};
  const Grammar grammar(view, stack, 4);
  uint32_t mask = 0;
  CHECK(allowTokens(grammar, trie, {}, nullptr, &mask, 3));
  CHECK(mask == 0b001);
}
