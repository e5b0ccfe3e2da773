// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tables.cpp: a vocabulary as a trie, masks that follow from it, and tables as text.
#include "grammars.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::grammar;

TEST_CASE("tables: tokens are allowed where all their bytes are") {
  const TrieTables trie = trieOf({"[", "[[", "]", "]]", "[]", "", "1", ",[", "],[1", "[[1]]]"});
  CHECK(trie.order == std::vector<int32_t>{5, 7, 6, 0, 1, 9, 4, 2, 8, 3});
  CHECK(trie.shared == std::vector<int32_t>{0, 0, 0, 0, 1, 2, 1, 0, 1, 1});
  CHECK(trie.jumps == std::vector<int32_t>{10, 10, 10, 10, 7, 6, 7, 10, 10, 10});
  const Compiled made = compileSchema(R"({"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"const": 1}]}})");
  REQUIRE(made.tables);
  const sinter_grammar view = made.tables->view();
  const sinter_token_trie words = trie.view();
  std::vector<int32_t> stack(8);
  generation::Grammar walker(view, stack.data(), 8);
  const int32_t eos = 5;
  const auto mask = [&] {
    uint32_t bits = 0;
    generation::allowTokens(walker, words, {&eos, 1, 0}, nullptr, &bits, 10);
    return bits;
  };
  CHECK(mask() == 0b0000010011);
  REQUIRE(walker.take("[[1", 3));
  CHECK(mask() == 0b0110001100);
  REQUIRE(walker.take("]", 1));
  CHECK(mask() == 0b0010000100);
  REQUIRE(walker.take("]", 1));
  CHECK(mask() == uint32_t(1) << eos);
}
TEST_CASE("tables: tokens longer than masks walk have no bytes") {
  const TrieTables trie = trieOf({"a", std::string(256, 'a'), std::string(255, 'a')});
  CHECK(trie.ends == std::vector<int32_t>{1, 1, 256});
}
TEST_CASE("tables: a rule that ends with a call is not come back to") {
  const Compiled made = compileGbnf("root ::= [a] (\",\" root)?");
  std::string list = "a";
  for (int i = 0; i < 100; ++i)
    list += ",a";
  CHECK(made.has(list, 2));
}
TEST_CASE("tables: as text of C++") {
  const Compiled made = compileExpression("a|b");
  const std::string text = printGrammar(*made.tables, "g") + printTrie(trieOf({"*/", "\n"}), "t");
  CHECK(text.find("static const sinter_grammar g = {g_class_of, 3, g_next,") != std::string::npos);
  CHECK(text.find("t_bytes[] = {\n    42,47,10,") != std::string::npos);
}
