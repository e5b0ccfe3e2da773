// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions as tokenizers write them: a subset of what Oniguruma reads, to a tree. What is left out is named
// in the problem: back references, look-behind, look-ahead of more than one character, atomic groups of more than that.
#pragma once

#include "tokenizer/code_point_set.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace sinter::tokenizer {

struct RegexNode {
  enum Kind {
    Characters, ///< one of `set`
    Sequence,   ///< the children, one behind the other
    Choice,     ///< the first child that leads to a match
    Repeat,     ///< the child, `least` to `most` times
    LookAhead,  ///< the next character is one of `set`, or there is none and `atEnd`
  };
  enum Taste { Greedy, Lazy, Possessive };

  Kind kind = Sequence;
  CodePointSet set;
  bool atEnd = false;
  std::vector<RegexNode> children;
  uint32_t least = 0, most = 0; ///< unbounded: UINT32_MAX
  Taste taste = Greedy;
};

/// Of one expression: a set of characters has some kilobytes.
constexpr size_t mostRegexParts = 2000;

llvm::Expected<RegexNode> parseRegex(llvm::StringRef pattern);
/// How many parts it has.
size_t regexParts(const RegexNode &node);
/// The text itself.
RegexNode literalRegex(llvm::StringRef text);
/// One character, or as many as there are.
RegexNode setRegex(CodePointSet set);

/// The set with all that differs from it in case alone.
CodePointSet withoutCase(const CodePointSet &set);
/// The set of \p{NAME}.
llvm::Expected<CodePointSet> propertyByName(llvm::StringRef name);

} // namespace sinter::tokenizer
