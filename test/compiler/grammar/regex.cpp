// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// regex.cpp: texts that expressions have and have not, what is refused and where.
#include "grammars.h"

#include <doctest/doctest.h>

using namespace sinter::grammar;

TEST_CASE("regex: texts") {
  const Compiled date = compileExpression("\\d{4}-(0[1-9]|1[0-2])");
  CHECK(date.has("2024-12"));
  CHECK(!date.has("2024-13"));
  CHECK(!date.has("2024-1"));
  const Compiled some = compileExpression("a{2,3}b?|[^a-y\\d]+");
  CHECK(some.has("aaab"));
  CHECK(!some.has("aaaab"));
  CHECK(some.has("z\xe2\x82\xac"));
  CHECK(!some.has("z7"));
  CHECK(!some.has(""));
  const Compiled greek = compileExpression("[\xce\xb1-\xcf\x89]+"); // alpha to omega
  CHECK(greek.has("\xce\xb2\xcf\x83"));
  CHECK(!greek.has("\xcf\x8a"));
  CHECK(!greek.has("\xce"));
}
TEST_CASE("regex: within JSON, quoted and found anywhere") {
  const Compiled found = compileExpression("q\"", RegexFor::JsonString);
  CHECK(found.has("aq\\\"b"));
  CHECK(!found.has("aq\"b"));
  const Compiled whole = compileExpression("^q$", RegexFor::JsonString);
  CHECK(whole.has("q"));
  CHECK(!whole.has("qq"));
}
TEST_CASE("regex: what is refused") {
  const auto codeOf = [](std::string_view expression) { return compileExpression(expression).code; };
  for (const char *invalid : {"(a", "a)", "[a", "*a", "a{3,2}", "a{x}", "\\", "[b-a]", "\xff", "\\xg0"})
    CHECK_MESSAGE(codeOf(invalid) == sinter::Code::GrammarInvalid, invalid);
  for (const char *unsupported : {"a(?=b)", "(?<n>a)", "\\1", "\\bword", "\\p{L}", "a^b", "a{2001}"})
    CHECK_MESSAGE(codeOf(unsupported) == sinter::Code::GrammarUnsupported, unsupported);
  CHECK(codeOf("((a{2000}){2000}){2000}") == sinter::Code::GrammarTooLarge);
  CHECK(codeOf("(a|b)*a(a|b){40}") == sinter::Code::GrammarTooLarge); // 2^40 states
  CHECK(codeOf(std::string(100000, '(')));
}
