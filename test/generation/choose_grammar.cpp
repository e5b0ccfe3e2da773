// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grammars as C functions for constrained.py: a schema or expression is compiled, and a mask asked for at each step.
#include "grammar/json_schema.h"
#include "grammar/regex.h"
#include "grammar/tables.h"
#include "runtime-lite/generation/grammar.h"

#include <cstring>

using namespace sinter;

namespace {

constexpr int32_t kStack = 32;
grammar::GrammarTables tables;
grammar::TrieTables trie;
sinter_grammar tablesView;
sinter_token_trie trieView;
int32_t stack[kStack];
std::optional<Grammar> walker;
std::vector<int32_t> scratch;

} // namespace

#pragma GCC visibility push(default) // the compiler hides what no header names
extern "C" {

/// 0, or -1 with the first problem in `problem`.
int32_t grammar_compile(const char *text, int32_t isSchema, char *problem, size_t capacity) {
  Diagnostics diagnostics;
  std::optional<std::vector<grammar::Pattern>> rules;
  if (isSchema)
    rules = grammar::rulesOfSchema(text, diagnostics);
  else if (const auto pattern = grammar::parseRegex(text, grammar::RegexFor::Text, diagnostics))
    rules = {*pattern};
  const auto made = rules ? grammar::buildAutomaton(*rules, diagnostics) : std::nullopt;
  if (!made) {
    std::strncpy(problem, diagnostics.all()[0].message.c_str(), capacity - 1);
    return -1;
  }
  tables = grammar::tablesOf(*made);
  tablesView = tables.view();
  return int32_t(made->states.size());
}
void grammar_vocabulary(const char *bytes, const int32_t *ends, int32_t count) {
  std::vector<std::string> tokens;
  for (int32_t i = 0, begin = 0; i < count; begin = ends[i++])
    tokens.emplace_back(bytes + begin, bytes + ends[i]);
  trie = grammar::trieOf(tokens);
  trieView = trie.view();
  scratch.assign(grammar_scratch_bytes(trie.longest, kStack) / 4 + 1, 0);
}
void grammar_begin() { walker.emplace(tablesView, stack, kStack); }
void grammar_mask(uint32_t *mask, int32_t vocab, int32_t eos) {
  allowTokens(*walker, trieView, {&eos, 1}, scratch.data(), mask, vocab);
}
int32_t grammar_take(const char *bytes, size_t size) { return walker->take({bytes, size}); }
int32_t grammar_complete() { return walker->isComplete(); }
size_t grammar_print(char *text, size_t capacity) {
  const std::string printed = printGrammar(tables, "g") + printTrie(trie, "t");
  std::strncpy(text, printed.c_str(), capacity - 1);
  return printed.size();
}
}
