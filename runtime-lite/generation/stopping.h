// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a text ends by its tokens or length, as transformers' criteria say. Stop strings are looked for in the text
// itself (text_stream.h), so that it does not matter how tokens cut them, nor what hangs over.
#pragma once

#include "runtime-lite/generation/bans.h"

namespace sinter {
namespace {

enum class Stop { no, token, length };

/// Of a text whose last id was generated: `max_length` counts the prompt, `max_new_tokens` does not; 0 is no limit.
SINTER_FUNCTION Stop stopOf(sinter_ids text, int32_t promptCount, sinter_ids eos, int32_t max_length,
                            int32_t max_new_tokens) {
  if (text.count > promptCount && isAmong(eos, text.ids[text.count - 1]))
    return Stop::token;
  if ((max_length && text.count >= max_length) || (max_new_tokens && text.count - promptCount >= max_new_tokens))
    return Stop::length;
  return Stop::no;
}

} // namespace
} // namespace sinter
