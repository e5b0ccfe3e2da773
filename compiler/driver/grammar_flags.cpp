// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/grammar_flags.h"

#include "driver/answer.h"
#include "grammar/gbnf.h"
#include "grammar/json_schema.h"
#include "support/given_file.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr size_t mostBytes = 1 << 20; // of a grammar; tables have a limit of their own

ExitStatus readGrammar(StringRef path, std::string &text) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path, mostBytes);
  if (!file) {
    printError(toString(file.takeError()));
    return ExitUsage;
  }
  text = (*file)->getBuffer().str();
  return ExitOk;
}

} // namespace

ExitStatus compileGrammar(const GrammarFlags &flags, std::optional<grammar::GrammarTables> &compiled) {
  const bool isSchema = flags.jsonSchema.getNumOccurrences();
  if (!flags.isGiven())
    return ExitOk;
  if (isSchema && flags.grammar.getNumOccurrences()) {
    printError("--json-schema and --grammar exclude each other");
    return ExitUsage;
  }
  std::string from = isSchema ? flags.jsonSchema : flags.grammar, text = from;
  if (isSchema && StringRef(from).ltrim().starts_with("{"))
    from = "--json-schema";
  else if (ExitStatus status = readGrammar(from, text); status != ExitOk)
    return status;
  Diagnostics diagnostics;
  std::optional<std::vector<grammar::Pattern>> rules;
  if (text.size() > mostBytes)
    diagnostics.report(
        {Code::GrammarTooLarge, "the grammar has more than 1 MiB", {}, "leave out what text does not need"});
  else
    rules = isSchema ? grammar::rulesOfSchema(text, diagnostics) : grammar::rulesOfGbnf(text, diagnostics);
  if (rules)
    if (std::optional<grammar::Automaton> automaton = grammar::buildAutomaton(*rules, diagnostics))
      compiled = grammar::tablesOf(*automaton);
  tell(diagnostics, from);
  return compiled ? ExitOk : ExitModel;
}

std::vector<std::string> bytesOfTokens(const tokenizer::CompiledTokenizer &tokenizer) {
  std::vector<std::string> all;
  for (size_t id = 0; id < tokenizer.tokenFlags.size(); ++id) {
    const auto begin = tokenizer.tokens.bytes.begin();
    std::string &bytes = all.emplace_back();
    if (!(tokenizer.tokenFlags[id] & generation::SpecialToken))
      bytes.assign(begin + tokenizer.tokens.starts[id], begin + tokenizer.tokens.starts[id + 1]);
  }
  return all;
}

} // namespace sinter
