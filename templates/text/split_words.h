// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of each string as a row, filled up with empty strings. No string has more parts than a row (count_words.h).
#pragma once

#include "runtime-lite/view.h"
#include "templates/text/words.h"

namespace sinter {
namespace {

struct SplitWordsParams {
  const char *delimiter;
  int64_t delimiter_size;
  int64_t most_splits;
};

[[maybe_unused]] static inline void splitWords(const SplitWordsParams &p, const View<const sinter_string, 1> &x,
                                               const View<sinter_string, 2> &y) {
  for (int64_t i = 0; i < y.sizes[0]; ++i) {
    sinter_string *const row = y.data + i * y.strides[0];
    int64_t count = 0;
    forEachWord(x.data[i * x.strides[0]], {p.delimiter, p.delimiter_size, p.most_splits}, [&](sinter_string word) {
      if (count < y.sizes[1])
        row[count++ * y.strides[1]] = word;
    });
    for (; count < y.sizes[1]; ++count)
      row[count * y.strides[1]] = {"", 0};
  }
}

} // namespace
} // namespace sinter
