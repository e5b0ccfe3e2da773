// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strings that are none of a list, in their order; where none is left, one that is empty.
#pragma once

#include "runtime-lite/view.h"
#include "templates/text/letter_case.h"

namespace sinter {
namespace {

struct RemoveWordsParams {
  int64_t compared; ///< LetterCase that both are brought to
};

/// y has room for all, and for one.
[[maybe_unused]] static inline void removeWords(const RemoveWordsParams &p, const View<const sinter_string, 1> &x,
                                                const View<const sinter_string, 1> &words,
                                                const View<sinter_string, 1> &y, const View<int64_t, 0> &count) {
  int64_t kept = 0;
  for (int64_t i = 0; i < x.sizes[0]; ++i) {
    const sinter_string one = x.data[i * x.strides[0]];
    bool isWord = false;
    for (int64_t w = 0; w < words.sizes[0] && !isWord; ++w)
      isWord = equalInCase(one, words.data[w * words.strides[0]], p.compared);
    if (!isWord)
      y.data[kept++ * y.strides[0]] = one;
  }
  if (kept == 0)
    y.data[kept++] = {"", 0};
  *count.data = kept;
}

} // namespace
} // namespace sinter
