// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions as deterministic automata over the bytes of UTF-8: what a pattern that is known at compile time
// becomes instead of a library (templates/text/match_text.h walks it).
#pragma once

#include "regex_syntax.h"

namespace sinter {

/// State 0 is the first. `next` has a row per state and a column per kind of byte; the number of all states stands for
/// "never".
struct Automaton {
  std::vector<uint8_t> kindOf; ///< 256
  int64_t kinds = 0;
  std::vector<int32_t> next;
  std::vector<uint8_t> accepts;

  int64_t states() const { return static_cast<int64_t>(accepts.size()); }
};

/// Of the texts that match as a whole. Nothing where that takes more than `mostStates`.
std::optional<Automaton> automatonOf(const Regex &regex, size_t mostStates);

} // namespace sinter
