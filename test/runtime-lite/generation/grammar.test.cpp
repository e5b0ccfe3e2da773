// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grammar.h: tables by hand, for texts of brackets within brackets; test/compiler/grammar has those that are compiled.
#include "runtime-lite/generation/grammar.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// Rule 0: "(", perhaps rule 0, ")". States: 0 begins, 1 behind "(", 2 before ")", 3 ends.
struct Brackets {
  uint8_t classOf[256] = {};
  int32_t next[12] = {-1, 1, -1, -1, -1, 3, -1, -1, 3, -1, -1, -1};
  int32_t callEnds[4] = {0, 1, 1, 1}, callRules[1] = {0}, callNext[1] = {2}, starts[1] = {0};
  uint8_t accepts[4] = {0, 0, 0, 1};
  uint32_t firsts[8] = {0, uint32_t(1) << ('(' % 32)};
  Brackets() {
    classOf[int('(')] = 1;
    classOf[int(')')] = 2;
  }
  sinter_grammar view() const { return {classOf, 3, next, callEnds, callRules, callNext, accepts, starts, firsts}; }
};

} // namespace

TEST_CASE("grammar: brackets, as deep as the stack") {
  const Brackets brackets;
  const sinter_grammar view = brackets.view();
  int32_t stack[2];
  const auto has = [&](const char *text, size_t size) {
    Grammar grammar(view, stack, 2);
    return grammar.take({text, size}) && grammar.isComplete();
  };
  CHECK(has("()", 2));
  CHECK(has("((()))", 6));
  CHECK(!has("(((())))", 8));
  CHECK(!has("(()", 3));
  CHECK(!has("())", 3));
  CHECK(!has("a", 1));
}

TEST_CASE("grammar: walking a vocabulary leaves the text where it was") {
  const Brackets brackets;
  const sinter_grammar view = brackets.view();
  const char bytes[] = "()()))(())";
  const int32_t ends[] = {1, 2, 6, 10}, order[] = {0, 3, 2, 1}, shared[] = {0, 1, 1, 0};
  // ids: "(", ")", "()))", "(())"
  const sinter_token_trie trie = {bytes, ends, order, shared, 4, 4};
  int32_t stack[4] = {}, scratch[200] = {};
  REQUIRE(grammar_scratch_bytes(4, 4) <= sizeof(scratch));
  Grammar grammar(view, stack, 4);
  REQUIRE(grammar.take({"((", 2}));
  uint32_t mask = 0, again = 0;
  allowTokens(grammar, trie, {}, scratch, &mask, 4);
  allowTokens(grammar, trie, {}, scratch, &again, 4);
  CHECK(mask == 0b1111);
  CHECK(again == mask);
  CHECK(grammar.take({"))", 2}));
  CHECK(grammar.isComplete());
}
