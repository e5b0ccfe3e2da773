// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unused_definitions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace sinter {
namespace {

bool isNamePart(char c) { return isAlnum(c) || c == '_'; }

/// Without members: in.N is no mention of N.
SmallVector<StringRef> namesInLine(StringRef line) {
  SmallVector<StringRef> names;
  line = line.split("//").first;
  for (size_t at = 0; at < line.size(); ++at) {
    StringRef name = line.substr(at).take_while(isNamePart);
    if (!name.empty() && (at == 0 || line[at - 1] != '.'))
      names.push_back(name);
    at += name.size();
  }
  return names;
}

/// The name that a line `const T NAME = ...;` or `T *const NAME = ...;` defines; "" of other lines.
StringRef definedIn(StringRef line) {
  auto [left, right] = line.split(" = ");
  bool isConst = left.ltrim().starts_with("const ") || left.contains(" *const ");
  if (!isConst || right.empty())
    return StringRef();
  StringRef name = left.rsplit(' ').second;
  name.consume_front("*const ");
  return name;
}

} // namespace

llvm::StringSet<> namesIn(StringRef text) {
  llvm::StringSet<> names;
  for (StringRef line : llvm::split(text, '\n'))
    for (StringRef name : namesInLine(line))
      names.insert(name);
  return names;
}

std::string withoutUnused(StringRef statements, const std::set<Identifier> &defined) {
  llvm::StringSet<> candidates;
  for (const Identifier &name : defined)
    candidates.insert(name.text());
  SmallVector<StringRef> lines;
  statements.split(lines, '\n');
  StringMap<size_t> mentions;
  for (StringRef line : lines)
    for (StringRef name : namesInLine(line))
      ++mentions[name];
  // From the end: a definition stands before what mentions it.
  SmallVector<StringRef> kept;
  for (StringRef line : llvm::reverse(lines)) {
    StringRef name = definedIn(line);
    if (!candidates.contains(name) || mentions.lookup(name) > 1) {
      kept.push_back(line);
      continue;
    }
    for (StringRef mentioned : namesInLine(line))
      --mentions[mentioned];
  }
  return join(llvm::reverse(kept), "\n");
}

} // namespace sinter
