// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grammar.h: tables by hand, for texts of brackets within brackets; test/compiler/grammar has those that are compiled.
#include "brackets.h"

#include <doctest/doctest.h>

using namespace sinter::generation;

TEST_CASE("grammar: brackets, as deep as the stack") {
  const Brackets brackets;
  const sinter_grammar view = brackets.view();
  int32_t stack[2];
  const auto has = [&](const char *text, size_t size) {
    Grammar grammar(view, stack, 2);
    return grammar.take(text, size) && grammar.isComplete();
  };
  CHECK(has("()", 2));
  CHECK(has("((()))", 6));
  CHECK(!has("(((())))", 8));
  CHECK(!has("(()", 3));
  CHECK(!has("())", 3));
  CHECK(!has("a", 1));
}

TEST_CASE("grammar: what may not follow changes nothing") {
  const Brackets brackets;
  const sinter_grammar view = brackets.view();
  int32_t stack[4];
  Grammar grammar(view, stack, 4);
  REQUIRE(grammar.take("((", 2));
  CHECK(!grammar.take("))(", 3));
  CHECK(grammar.take("))", 2));
  CHECK(grammar.isComplete());
}
