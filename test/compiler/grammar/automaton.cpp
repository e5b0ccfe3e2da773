// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// automaton.cpp: rules that call one another, and what such may not do.
#include "grammars.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::grammar;

namespace {

Compiled compileOf(const std::vector<grammar::Pattern> &rules) {
  Diagnostics diagnostics;
  return compileRules(rules, diagnostics);
}

} // namespace

TEST_CASE("automaton: rules") {
  const Compiled nested = compileOf({sequence({literal("("), optional(call(0)), literal(")")})});
  CHECK(nested.has("((()))"));
  CHECK(!nested.has("(()"));
  const Compiled through =
      compileOf({sequence({call(1), literal(".")}), sequence({call(2), literal("b")}), literal("a")});
  CHECK(through.has("ab."));
}
TEST_CASE("automaton: moves from which no text ends are left out") {
  // Rule 1 never ends, so "x" is no begin of a text.
  const Compiled made =
      compileOf({choice({literal("y"), sequence({literal("x"), call(1)})}), sequence({literal("z"), call(1)})});
  CHECK(made.has("y"));
  const sinter_grammar view = made.tables->view();
  int32_t stack[2];
  CHECK(!generation::Grammar(view, stack, 2).take("x", 1));
}
TEST_CASE("automaton: rules that may be empty are entered by a byte, or passed over") {
  const Compiled some =
      compileOf({sequence({literal("a"), call(1), literal("c")}), optional(sequence({literal("b"), call(1)}))});
  CHECK(some.has("ac"));
  CHECK(some.has("abbc"));
  CHECK(!some.has("ab"));
}
TEST_CASE("automaton: states know how many bytes end their rule") {
  const Compiled made = compileOf(
      {choice({literal("abcd"), sequence({literal("x"), call(1)})}), sequence({literal("yy"), optional(call(1))})});
  CHECK(made.tables->distances[0] == 3);
  CHECK(made.tables->distances[size_t(made.tables->starts[1])] == 2);
}
TEST_CASE("automaton: what is refused") {
  CHECK(compileOf({sequence({literal("a"), call(0)})}).code == sinter::Code::GrammarInvalid);
  CHECK(compileOf({choice({literal("a"), sequence({call(0), literal("b")})})}).code ==
        sinter::Code::GrammarUnsupported); // begins with itself
  CHECK(compileOf({choice({call(1), literal("ab")}), literal("ac")}).code ==
        sinter::Code::GrammarUnsupported); // begin alike
}
