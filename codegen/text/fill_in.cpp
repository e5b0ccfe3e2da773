// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fill_in.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter {

std::string fillIn(StringRef text, ArrayRef<std::pair<StringRef, std::string>> values, char mark) {
  std::string out;
  while (!text.empty()) {
    auto [before, behind] = text.split(mark);
    out += before;
    auto [name, after] = behind.split(mark);
    const auto *value = llvm::find_if(values, [&, name = name](const auto &entry) { return entry.first == name; });
    bool isOurs = value != values.end() && name.size() < behind.size();
    if (!isOurs && before.size() < text.size()) // a mark of the text's own
      out += mark;
    if (isOurs)
      out += value->second;
    text = isOurs ? after : behind;
  }
  return out;
}

} // namespace sinter
