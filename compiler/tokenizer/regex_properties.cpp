// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sets that regular expressions name, and what case they ignore.
#include "tokenizer/regex_syntax.h"
#include "tokenizer/unicode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace llvm;

namespace sinter::tokenizer {

CodePointSet withoutCase(const CodePointSet &set) {
  std::set<uint32_t> touched;
  for (const auto &[from, to] : unicodeMap("fold"))
    if (set.contains(from) || set.contains(to[0]))
      touched.insert(to[0]);
  CodePointSet result = set;
  for (uint32_t folded : touched)
    result.add({folded, folded});
  for (const auto &[from, to] : unicodeMap("fold"))
    if (touched.count(to[0]))
      result.add({from, from});
  return result;
}

Expected<CodePointSet> propertyByName(StringRef name) {
  bool isNegated = name.consume_front("^");
  std::string plain;
  for (char c : name)
    if (c != '_' && c != ' ' && c != '-')
      plain += toLower(c);
  StringRef category = StringSwitch<StringRef>(plain)
                           .Case("letter", "L")
                           .Case("mark", "M")
                           .Case("number", "N")
                           .Case("punctuation", "P")
                           .Case("symbol", "S")
                           .Case("separator", "Z")
                           .Case("uppercaseletter", "Lu")
                           .Case("lowercaseletter", "Ll")
                           .Case("titlecaseletter", "Lt")
                           .Case("modifierletter", "Lm")
                           .Case("otherletter", "Lo")
                           .Case("nonspacingmark", "Mn")
                           .Case("decimalnumber", "Nd")
                           .Case("connectorpunctuation", "Pc")
                           .Default(name);
  CodePointSet set =
      category == "C" || category == "Cn" || category.size() > 2 ? CodePointSet() : unicodeCategory(category);
  if (plain == "whitespace" || plain == "space")
    set = whiteSpace();
  if (set.isEmpty())
    set = unicodeSet(("script " + name).str());
  if (plain == "any")
    set = {0, lastCodePoint};
  if (set.isEmpty())
    return createStringError("\\p{" + name + "} is no set of characters that is known here");
  return isNegated ? set.complement() : set;
}

} // namespace sinter::tokenizer
