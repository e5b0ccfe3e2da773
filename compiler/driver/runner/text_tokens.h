// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text as tokens, by the tokenizer that the program is compiled with.
#pragma once

#include "session_program.h"

#include <string>
#include <vector>

/// The tokens of a text. `flags` are sinter_tokens_encode's. `vocabulary`: how many tokens the model knows, 0 where it
/// says so itself.
inline std::vector<int64_t> encodeText(const std::string &text, uint32_t flags, int64_t vocabulary) {
  std::vector<int32_t> ids(text.size() + 16);
  for (;;) {
    const int64_t count = sinter_tokens_encode(text.data(), text.size(), ids.data(), ids.size(), flags);
    if (count < 0)
      endWith("the prompt is too long for the tokenizer, or there is no memory for it");
    const bool isAll = static_cast<size_t>(count) <= ids.size();
    ids.resize(static_cast<size_t>(count));
    if (isAll)
      break;
  }
  for (int32_t id : ids)
    if (vocabulary > 0 && id >= vocabulary)
      endWith("a token of the prompt is none of the model's",
              "is the tokenizer that of another model? --tokenizer FILE");
  return {ids.begin(), ids.end()};
}
