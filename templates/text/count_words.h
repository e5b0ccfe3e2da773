// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many parts each string has, and the most that one has.
#pragma once

#include "runtime-lite/view.h"
#include "templates/text/words.h"

namespace sinter {
namespace {

struct CountWordsParams {
  const char *delimiter;
  int64_t delimiter_size;
  int64_t most_splits;
};

[[maybe_unused]] static inline void countWords(const CountWordsParams &p, const View<const sinter_string, 1> &x,
                                               const View<int64_t, 1> &counts, const View<int64_t, 0> &most) {
  *most.data = 0;
  for (int64_t i = 0; i < counts.sizes[0]; ++i) {
    int64_t count = 0;
    forEachWord(x.data[i * x.strides[0]], {p.delimiter, p.delimiter_size, p.most_splits},
                [&](sinter_string) { ++count; });
    counts.data[i * counts.strides[0]] = count;
    *most.data = count > *most.data ? count : *most.data;
  }
}

} // namespace
} // namespace sinter
