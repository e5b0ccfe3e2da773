// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions to tables (runtime-lite/generation/regex_dfa.h). All of a tokenizer's expressions see characters
// as the same few classes: characters are in one if no set of any expression tells them apart.
#pragma once

#include "tokenizer/regex_syntax.h"

namespace sinter::tokenizer {

/// The classes that a list of sets needs.
struct CharacterClasses {
  std::vector<CodePointSet::Range> ranges; ///< all code points, in order
  std::vector<uint16_t> classOf;           ///< of each range
  uint32_t count = 0;                      ///< without that of the end of text, which is the next
  /// Which classes are in a set that was in the list.
  std::vector<bool> in(const CodePointSet &set) const;
};
llvm::Expected<CharacterClasses> classesOf(llvm::ArrayRef<RegexNode> regexes);

/// The table, `count` + 1 entries for each state.
llvm::Expected<std::vector<uint16_t>> automatonOf(const RegexNode &regex, const CharacterClasses &classes);

} // namespace sinter::tokenizer
