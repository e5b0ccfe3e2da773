// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Search of one text in another, in time of their sizes and without memory: as Crochemore and Perrin do it ("Two-way
// string-matching", 1991). What is searched for is cut where its two parts repeat each other the latest: the right part
// is compared first, and how far it fits tells how far to go on.
#pragma once

#include "runtime-lite/generation/chat_value.h"

#include <string.h>

namespace sinter::generation {

/// Where the greatest of a text's suffixes begins, in the order of bytes or against it, and the period of that suffix.
struct ChatSuffix {
  size_t begin = 0, period = 1;

  ChatSuffix(ChatText text, bool isReversed) {
    for (size_t candidate = 1, same = 0; candidate + same < text.size;) {
      uint8_t a = uint8_t(text[candidate + same]), b = uint8_t(text[begin + same]);
      if (a == b) {
        if (++same == period) {
          candidate += period;
          same = 0;
        }
      } else if ((a < b) != isReversed) {
        candidate += same + 1;
        same = 0;
        period = candidate - begin;
      } else {
        begin = candidate++;
        same = 0;
        period = 1;
      }
    }
  }
};

/// Where `what` is in `text` from `from` on; text.size + 1 if nowhere.
inline size_t find(ChatText text, ChatText what, size_t from = 0) {
  const size_t nowhere = text.size + 1;
  if (from > text.size || what.size > text.size - from)
    return nowhere;
  if (what.size <= 1) {
    const void *at = what.size ? memchr(text.data + from, what[0], text.size - from) : text.data + from;
    return what.size == 0 ? from : at ? size_t(static_cast<const char *>(at) - text.data) : nowhere;
  }
  const ChatSuffix rising(what, false), falling(what, true);
  const ChatSuffix &suffix = rising.begin > falling.begin ? rising : falling;
  const size_t cut = suffix.begin;
  // Where the left part repeats too, what was found to fit before a step of one period fits behind it.
  const bool isPeriodic = cut + suffix.period <= what.size && !memcmp(what.data, what.data + suffix.period, cut);
  const size_t left = cut, right = what.size - cut;
  const size_t step = isPeriodic ? suffix.period : (left > right ? left : right) + 1;
  size_t known = 0; // bytes at the beginning that fit already
  for (size_t at = from; at <= text.size - what.size;) {
    size_t i = cut > known ? cut : known;
    while (i < what.size && what[i] == text[at + i])
      ++i;
    if (i < what.size) {
      at += i - cut + 1;
      known = 0;
      continue;
    }
    for (i = cut; i > known && what[i - 1] == text[at + i - 1];)
      --i;
    if (i <= known)
      return at;
    at += step;
    known = isPeriodic ? what.size - step : 0;
  }
  return nowhere;
}

} // namespace sinter::generation
