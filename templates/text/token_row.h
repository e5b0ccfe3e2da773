// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of tokens, all as long as the longest: each begins and ends with a mark, if there are any, and is filled up with
// one string. The tokens point into the texts.
#pragma once

#include "runtime-lite/index.h"
#include "runtime-lite/types.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// Whether a character of UTF-8 begins here.
SINTER_FUNCTION bool beginsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u; }

/// Params has pad and pad_size, what rows are filled up with, and mark: not 0 for STX in front of a row's tokens and
/// ETX behind them. `split(text, add)` calls add for each token of a text. `width` is how long rows are: 0 where no
/// text has a token. A row that is longer than y's ends the call.
template <class Params, class Split>
static inline int tokenRows(const Params &p, const View<const sinter_string, 1> &x, const View<sinter_string, 2> &y,
                            const View<int64_t, 0> &width, Split split) {
  const int64_t capacity = y.sizes[1];
  int64_t most = 0;
  for (int64_t i = 0; i < x.sizes[0]; ++i) {
    sinter_string *const row = y.data + i * y.strides[0];
    int64_t count = 0, tokens = 0;
    const auto add = [&](sinter_string token) {
      if (count < capacity)
        row[count * y.strides[1]] = token;
      ++count;
    };
    if (p.mark)
      add({"\x02", 1});
    split(x.data[i * x.strides[0]], [&](sinter_string token) {
      add(token);
      ++tokens;
    });
    if (p.mark)
      add({"\x03", 1});
    if (tokens && count > most)
      most = count;
    while (count < capacity)
      add({p.pad, static_cast<size_t>(p.pad_size)});
  }
  *width.data = most < capacity ? most : capacity;
  return most <= capacity ? 0 : kCapacityExceeded;
}

} // namespace
} // namespace sinter
