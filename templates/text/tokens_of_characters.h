// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The characters of each string, of UTF-8, as a row of tokens.
#pragma once

#include "templates/text/token_row.h"

namespace sinter {
namespace {

struct TokensOfCharactersParams {
  const char *pad;
  int64_t pad_size;
  int64_t mark;
};

[[maybe_unused]] static inline int tokensOfCharacters(const TokensOfCharactersParams &p,
                                                      const View<const sinter_string, 1> &x,
                                                      const View<sinter_string, 2> &y, const View<int64_t, 0> &width) {
  return tokenRows(p, x, y, width, [](sinter_string text, auto add) {
    for (size_t at = 0; at < text.size;) {
      size_t end = at + 1;
      while (end < text.size && !beginsCharacter(text.data[end]))
        ++end;
      add(sinter_string{text.data + at, end - at});
      at = end;
    }
  });
}

} // namespace
} // namespace sinter
