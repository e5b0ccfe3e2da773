// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lies between separators in each string, as a row of tokens. Of separators that overlap, the one that is listed
// first counts, and of one and the same that on the left.
#pragma once

#include "templates/text/token_row.h"

namespace sinter {
namespace {

struct TokensBetweenParams {
  const char *pad;
  int64_t pad_size;
  int64_t mark;
  int64_t least; ///< characters that a token has at least
};

/// The first of the separators that begin at `at`; their number where there is none.
SINTER_FUNCTION int64_t separatorAt(sinter_string text, size_t at, const View<const sinter_string, 1> &separators) {
  const int64_t count = separators.sizes[0];
  for (int64_t k = 0; k < count; ++k) {
    const sinter_string separator = separators.data[k * separators.strides[0]];
    size_t same = 0;
    while (same < separator.size && at + same < text.size && text.data[at + same] == separator.data[same])
      ++same;
    if (same == separator.size)
      return k;
  }
  return count;
}

[[maybe_unused]] static inline int tokensBetween(const TokensBetweenParams &p, const View<const sinter_string, 1> &x,
                                                 const View<const sinter_string, 1> &separators,
                                                 const View<sinter_string, 2> &y, const View<int64_t, 0> &width) {
  return tokenRows(p, x, y, width, [&](sinter_string text, auto add) {
    const int64_t none = separators.sizes[0];
    int64_t last = none; // a separator that a better one may still overlap
    size_t from = 0, begin = 0, end = 0;
    const auto cut = [&] {
      int64_t characters = 0;
      for (size_t i = from; i < begin; ++i)
        characters += beginsCharacter(text.data[i]);
      if (characters > 0 && characters >= p.least)
        add(sinter_string{text.data + from, begin - from});
      from = end;
    };
    for (size_t at = 0; at < text.size; ++at) {
      const int64_t found = beginsCharacter(text.data[at]) ? separatorAt(text, at, separators) : none;
      if (found == none || (last != none && at < end && found >= last))
        continue;
      if (last != none && at >= end)
        cut();
      last = found;
      begin = at;
      end = at + separators.data[found * separators.strides[0]].size;
    }
    if (last != none)
      cut();
    begin = text.size;
    cut();
  });
}

} // namespace
} // namespace sinter
