// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may follow, where the program is made with a grammar (SINTER_GRAMMAR); without one any token.
#pragma once

#include "session_program.h"

#include <cstdint>
#include <vector>

class TokenGrammar {
public:
#ifdef SINTER_GRAMMAR
  static constexpr bool isThere = true;
  explicit TokenGrammar(std::vector<int32_t> ends)
      : ends(std::move(ends)), mask((SIZE(_SESSION_VOCABULARY) + 31) / 32),
        cache(SINTER_TOKENS_GRAMMAR_CACHE_BYTES / sizeof(uint32_t)) {}

  void begin() { text = {}; }
  /// False: the text is complete, and nothing may follow. `left`: how many tokens may still come.
  bool goesOn(int64_t left) {
    if (allowsMore(left))
      return true;
    if (!isComplete())
      endWith("every token is forbidden: the vocabulary cannot spell what the grammar asks for");
    return false;
  }
  /// The same of a text that need not be complete.
  bool allowsMore(int64_t left) {
    constexpr int64_t most = 1 << 30;
    const sinter_tokens_grammar_wish wish = {ends.data(), static_cast<int32_t>(ends.size()),
                                             static_cast<int32_t>(left < most ? left : most)};
    return sinter_tokens_grammar_mask(&text, &wish, cache.data(), mask.data(), SIZE(_SESSION_VOCABULARY));
  }
  /// From where another one of the same grammar stands.
  void goOnFrom(const TokenGrammar &other) { text = other.text; }
  const uint32_t *allowed() const { return mask.data(); }
  void take(int64_t id) { sinter_tokens_grammar_take(&text, static_cast<int32_t>(id)); }
  bool isComplete() const { return sinter_tokens_grammar_is_complete(&text); }

private:
  std::vector<int32_t> ends;
  std::vector<uint32_t> mask, cache;
  sinter_tokens_grammar text = {};
#else
  static constexpr bool isThere = false;
  explicit TokenGrammar(const std::vector<int32_t> &) {}
  void begin() {}
  bool goesOn(int64_t) { return true; }
  bool allowsMore(int64_t) { return true; }
  void goOnFrom(const TokenGrammar &) {}
  const uint32_t *allowed() const { return nullptr; }
  void take(int64_t) {}
  bool isComplete() const { return true; }
#endif
};
