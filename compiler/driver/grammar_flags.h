// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What text is constrained to, by a file: of `sinter tokenizer` and of the verbs that make text.
#pragma once

#include "driver/flags.h"
#include "driver/verbs.h"
#include "grammar/tables.h"
#include "tokenizer/compile.h"

#include <optional>

namespace sinter {

struct GrammarFlags {
  Flag<std::string> jsonSchema{
      "json-schema", Says("text is JSON that this schema allows: a file, or the schema itself, which begins with {"),
      Takes("FILE | {...}")};
  Flag<std::string> grammar{"grammar", Says("text is what this grammar allows (GBNF, as llama has it)"), Takes("FILE")};

  bool isGiven() const { return jsonSchema.getNumOccurrences() || grammar.getNumOccurrences(); }
};

/// None where no flag is given. ExitOk, or the status to end with after a message.
ExitStatus compileGrammar(const GrammarFlags &flags, std::optional<grammar::GrammarTables> &compiled);

/// What each token of a vocabulary adds to a text, none of special ones.
std::vector<std::string> bytesOfTokens(const tokenizer::CompiledTokenizer &tokenizer);

} // namespace sinter
