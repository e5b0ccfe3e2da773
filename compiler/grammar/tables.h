// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Automata and vocabularies as the tables that generated code carries and runtime-lite/generation/grammar.h reads.
#pragma once

#include "grammar/automaton.h"
#include "runtime-lite/generation/grammar_types.h"

#include <string>

namespace sinter::grammar {

struct GrammarTables {
  std::vector<uint8_t> classOf, accepts;
  std::vector<int32_t> next, callEnds, callRules, callNext, distances, starts;
  std::vector<uint32_t> firsts;
  int32_t classCount = 0;

  sinter_grammar view() const;
};
GrammarTables tablesOf(const Automaton &automaton);

struct TrieTables {
  std::string bytes;
  std::vector<int32_t> ends, order, shared, jumps;

  sinter_token_trie view() const;
};
/// Of the bytes of each id; those of special tokens are empty. Tokens beyond what masks walk lose their bytes.
TrieTables trieOf(const std::vector<std::string> &tokens);

/// C++ that defines `sinter_grammar NAME` and its tables.
std::string printGrammar(const GrammarTables &tables, const std::string &name);
std::string printTrie(const TrieTables &tables, const std::string &name);

} // namespace sinter::grammar
