// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How deep brackets of a stranger's JSON are nested: LLVM's parser calls itself for each, so this is asked first.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sinter {

/// Of any text; brackets in strings do not count.
inline bool isJsonDeeperThan(llvm::StringRef text, unsigned most) {
  unsigned depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString && c == '\\')
      ++i;
    else if (c == '"')
      isString = !isString;
    else if (!isString && (c == '[' || c == '{') && ++depth > most)
      return true;
    else if (!isString && (c == ']' || c == '}') && depth)
      --depth;
  }
  return false;
}

} // namespace sinter
