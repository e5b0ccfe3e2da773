// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grammars in the form GBNF, which users of llama write: rules of alternatives, in which terminals are texts and
// classes of code points. Rules that refer to themselves become rules of the automaton, others become part of those
// that use them.
#pragma once

#include "diagnostics/diagnostics.h"
#include "grammar/pattern.h"

#include <optional>

namespace sinter::grammar {

/// Rule 0, the whole text, is that of the name root.
std::optional<std::vector<Pattern>> rulesOfGbnf(std::string_view grammar, Diagnostics &diagnostics);

} // namespace sinter::grammar
