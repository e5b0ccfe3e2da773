// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tokenizers ask of characters, of one version of Unicode: unicode_data.txt, which unicode_data.py writes.
#pragma once

#include "tokenizer/code_point_set.h"

#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace sinter::tokenizer {

/// What code points become; those that stay are absent.
using Sequences = std::map<uint32_t, std::vector<uint32_t>>;

/// "14.0.0".
llvm::StringRef unicodeVersion();
/// A general category or a group of them ("Lu", "L"); empty where there is none of that name.
CodePointSet unicodeCategory(llvm::StringRef name);
/// "property White_Space", "script Han", "cluster Extend", "order 230"; empty where the data has no such row.
const CodePointSet &unicodeSet(llvm::StringRef row);
/// "canonical" and "compatible" (what decomposes beside that), both in full; "lower", "fold", "compose".
const Sequences &unicodeMap(llvm::StringRef name);
/// Canonical combining classes, of those that are not 0.
const std::map<uint32_t, uint16_t> &combiningClasses();

/// Alphabetic, marks, decimal digits, connectors and joiners.
const CodePointSet &wordCharacters();
/// \w as Oniguruma has it: no joiners, and outside of brackets also the numbers of Latin-1.
const CodePointSet &regexWordCharacters(bool isInBrackets);
/// What BERT's normalizer takes for Chinese: ideographs, by blocks that are listed there.
const CodePointSet &ideographs();
const CodePointSet &whiteSpace();
/// Punctuation as the package tokenizers has it: all of ASCII's, and that of an older Unicode.
const CodePointSet &punctuation();

std::string utf8Of(uint32_t codePoint);
/// The code points of valid UTF-8.
std::vector<uint32_t> codePointsOf(llvm::StringRef text);

} // namespace sinter::tokenizer
