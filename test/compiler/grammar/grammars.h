// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiling grammars in tests, and asking whether a text is theirs.
#pragma once

#include "grammar/gbnf.h"
#include "grammar/json_schema.h"
#include "grammar/regex.h"
#include "grammar/tables.h"
#include "runtime-lite/generation/grammar_mask.h"

#include "llvm/ADT/STLExtras.h"

#include <string>

namespace sinter::grammar {

struct Compiled {
  std::optional<GrammarTables> tables;
  std::string message; ///< of the first problem
  std::optional<Code> code;

  bool has(const std::string &text, int32_t depth = 16) const {
    const sinter_grammar view = tables->view();
    std::vector<int32_t> stack(size_t(depth) + 1);
    generation::Grammar walker(view, stack.data(), depth);
    return llvm::all_of(text, [&](const char &c) { return walker.take(&c, 1); }) && walker.isComplete();
  }
};

inline Compiled compileRules(const std::optional<std::vector<Pattern>> &rules, Diagnostics &diagnostics) {
  Compiled made;
  if (rules)
    if (const std::optional<Automaton> automaton = buildAutomaton(*rules, diagnostics))
      made.tables = tablesOf(*automaton);
  if (diagnostics.hasErrors()) {
    made.message = diagnostics.all()[0].message;
    made.code = diagnostics.all()[0].code;
  }
  return made;
}
inline Compiled compileExpression(std::string_view expression, RegexFor use = RegexFor::Text) {
  Diagnostics diagnostics;
  const std::optional<Pattern> pattern = parseRegex(expression, use, diagnostics);
  return compileRules(pattern ? std::optional(std::vector<Pattern>{*pattern}) : std::nullopt, diagnostics);
}
inline Compiled compileGbnf(std::string_view grammar) {
  Diagnostics diagnostics;
  return compileRules(rulesOfGbnf(grammar, diagnostics), diagnostics);
}
inline Compiled compileSchema(std::string_view schema) {
  Diagnostics diagnostics;
  return compileRules(rulesOfSchema(schema, diagnostics), diagnostics);
}

} // namespace sinter::grammar
