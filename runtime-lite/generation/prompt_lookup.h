// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drafts without a second model: what followed the text's last ids where they stood before. As transformers' prompt
// lookup: the longest run of ids that occurs earlier, and of its places the first.
#pragma once

#include "runtime-lite/generation/bans.h"

namespace sinter {
namespace {

/// Copies up to `most` ids that may come next, and says how many. Runs have up to `longest` ids; a draft stops behind
/// an id of eos.
SINTER_FUNCTION int32_t draftFromText(sinter_ids text, int32_t longest, int32_t most, sinter_ids eos, int32_t *draft) {
  for (int32_t n = longest < text.count - 1 ? longest : text.count - 1; n > 0; --n)
    for (int32_t begin = 0; begin + n < text.count; ++begin) {
      int32_t same = 0;
      while (same < n && text.ids[begin + same] == text.ids[text.count - n + same])
        ++same;
      if (same < n)
        continue;
      int32_t count = 0;
      for (int32_t i = begin + n; i < text.count && count < most; ++i) {
        if (isAmong(eos, text.ids[i]))
          break;
        draft[count++] = text.ids[i];
      }
      return count;
    }
  return 0;
}

} // namespace
} // namespace sinter
