// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What matches a regular expression in each string, as a row of tokens: from the left, each as long as it can be. The
// automaton is that of match_text.h.
#pragma once

#include "templates/text/token_row.h"

namespace sinter {
namespace {

struct TokensMatchingParams {
  const char *pad;
  int64_t pad_size;
  int64_t mark;
};

template <class State>
static inline int tokensMatching(const TokensMatchingParams &p, const View<const sinter_string, 1> &x,
                                 const View<const uint8_t, 1> &kindOf, const View<const State, 2> &next,
                                 const View<const bool, 1> &accepts, const View<sinter_string, 2> &y,
                                 const View<int64_t, 0> &width) {
  const int64_t states = next.sizes[0];
  return tokenRows(p, x, y, width, [&](sinter_string text, auto add) {
    for (size_t begin = 0; begin < text.size;) {
      size_t end = begin;
      int64_t state = 0;
      for (size_t at = begin; at < text.size && state < states;) {
        state = next.data[state * next.strides[0] + kindOf.data[static_cast<unsigned char>(text.data[at])]];
        ++at;
        if (state < states && accepts.data[state])
          end = at;
      }
      if (end > begin)
        add(sinter_string{text.data + begin, end - begin});
      begin = end > begin ? end : begin + 1;
    }
  });
}

} // namespace
} // namespace sinter
