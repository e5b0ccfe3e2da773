// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions in RE2's syntax, as trees. What becomes of them: regex.h.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

struct CodeRange {
  uint32_t first, last;
};
constexpr uint32_t lastCode = 0x10ffff;

struct Regex {
  enum Kind { Nothing, Letter, Sequence, Choice, Repeat, Begin, End, WordEdge, NoWordEdge } kind = Nothing;
  std::vector<CodeRange> letters; ///< of a letter: what it may be; sorted, apart
  std::vector<Regex> parts;       ///< of a sequence or a choice; of a repetition the one that is repeated
  int least = 0, most = 0;        ///< of a repetition; most below 0: any number
};

/// Nothing where the pattern has no meaning, or one that is not supported; then `problem` says which.
std::optional<Regex> parseRegex(llvm::StringRef pattern, std::string &problem);

} // namespace sinter
