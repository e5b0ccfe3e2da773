// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grammars as C functions for constrained.py: a schema or expression is compiled, and a mask asked for at each step.
#include "grammar/gbnf.h"
#include "grammar/json_schema.h"
#include "grammar/regex.h"
#include "grammar/tables.h"
#include "runtime-lite/generation/grammar_mask.h"

#include <algorithm>
#include <cstring>

using namespace sinter;

namespace {

constexpr int32_t kStack = 32;
grammar::GrammarTables tables;
grammar::TrieTables trie;
sinter_grammar tablesView;
sinter_token_trie trieView;
int32_t stack[kStack];
std::optional<generation::Grammar> walker;
std::vector<int32_t> cache;

} // namespace

#pragma GCC visibility push(default) // the compiler hides what no header names
extern "C" {

/// `form`: an expression, a schema, or GBNF. How many states there are, or -1 with the first problem in `problem`.
int32_t grammar_compile(const char *text, int32_t form, char *problem, size_t capacity) {
  Diagnostics diagnostics;
  std::optional<std::vector<grammar::Pattern>> rules;
  if (form == 1)
    rules = grammar::rulesOfSchema(text, diagnostics);
  else if (form == 2)
    rules = grammar::rulesOfGbnf(text, diagnostics);
  else if (const auto pattern = grammar::parseRegex(text, grammar::RegexFor::Text, diagnostics))
    rules = {*pattern};
  const auto made = rules ? grammar::buildAutomaton(*rules, diagnostics) : std::nullopt;
  if (!made) {
    std::strncpy(problem, diagnostics.all()[0].message.c_str(), capacity - 1);
    return -1;
  }
  tables = grammar::tablesOf(*made);
  tablesView = tables.view();
  std::fill(cache.begin(), cache.end(), 0);
  return int32_t(made->states.size());
}
void grammar_vocabulary(const char *bytes, const int32_t *ends, int32_t count) {
  std::vector<std::string> tokens;
  for (int32_t i = 0, begin = 0; i < count; begin = ends[i++])
    tokens.emplace_back(bytes + begin, bytes + ends[i]);
  trie = grammar::trieOf(tokens);
  trieView = trie.view();
  cache.assign(generation::grammarCacheBytes(count) / 4, 0);
}
void grammar_begin() { walker.emplace(tablesView, stack, kStack); }
/// Whether masks that are kept are those that are not.
int32_t grammar_mask(uint32_t *mask, int32_t vocab, int32_t eos, int32_t budget) {
  generation::allowTokens(*walker, trieView, {&eos, 1, budget}, cache.data(), mask, vocab);
  std::vector<uint32_t> again(size_t(vocab + 31) / 32);
  generation::allowTokens(*walker, trieView, {&eos, 1, budget}, nullptr, again.data(), vocab);
  return std::equal(again.begin(), again.end(), mask);
}
int32_t grammar_take(const char *bytes, size_t size) { return walker->take(bytes, size); }
int32_t grammar_complete() { return walker->isComplete(); }
size_t grammar_print(char *text, size_t capacity) {
  const std::string printed = printGrammar(tables, "g") + printTrie(trie, "t");
  std::strncpy(text, printed.c_str(), capacity - 1);
  return printed.size();
}
}
