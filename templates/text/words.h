// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a string between delimiters. They point into the string.
#pragma once

#include "runtime-lite/types.h"

namespace sinter {
namespace {

/// How a string is split. Without a delimiter at runs of white space, of which none counts at the ends.
struct Delimiter {
  const char *bytes;
  int64_t size;
  int64_t mostSplits; ///< from the left; below 0: no limit
};

static inline bool isSpace(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

template <class Visit>
static inline void splitAtSpace(sinter_string text, int64_t mostSplits, Visit visit) {
  size_t at = 0;
  for (int64_t splits = 0;; ++splits) {
    while (at < text.size && isSpace(text.data[at]))
      ++at;
    if (at == text.size)
      return;
    size_t end = at;
    if (splits == mostSplits)
      end = text.size;
    while (end < text.size && !isSpace(text.data[end]))
      ++end;
    visit(sinter_string{text.data + at, end - at});
    at = end;
  }
}

template <class Visit>
static inline void forEachWord(sinter_string text, const Delimiter &delimiter, Visit visit) {
  if (delimiter.size == 0) {
    splitAtSpace(text, delimiter.mostSplits, visit);
    return;
  }
  const size_t width = static_cast<size_t>(delimiter.size);
  const auto isDelimiter = [&](size_t at) {
    for (size_t i = 0; i < width; ++i)
      if (text.data[at + i] != delimiter.bytes[i])
        return false;
    return true;
  };
  size_t begin = 0, at = 0;
  for (int64_t splits = 0; splits != delimiter.mostSplits && at + width <= text.size;) {
    if (!isDelimiter(at)) {
      ++at;
      continue;
    }
    visit(sinter_string{text.data + begin, at - begin});
    begin = at += width;
    ++splits;
  }
  visit(sinter_string{text.data + begin, text.size - begin});
}

} // namespace
} // namespace sinter
