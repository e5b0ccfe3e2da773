// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions over code points: literals, classes, . \d \w \s, groups, |, * + ? {m,n}, ^ and $ at the ends.
// What is no regular language (look-around, back references) is refused.
#pragma once

#include "diagnostics/diagnostics.h"
#include "grammar/pattern.h"

#include <optional>

namespace sinter::grammar {

enum class RegexFor {
  Text,      ///< the whole text
  JsonString ///< what a JSON string may hold, as it is written there; without ^ and $ anything may stand around it
};

std::optional<Pattern> parseRegex(std::string_view expression, RegexFor use, Diagnostics &diagnostics);

/// Of these code points those that a JSON string may hold, as they are written there.
Pattern jsonCharacters(const CodePoints &points);

} // namespace sinter::grammar
