// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constrained output: where a text stands in a grammar, and which tokens may follow, as the mask that a sampler takes
// (sinter_step::allowed). Recursion has a stack of the caller's; text that would need a deeper one is not allowed.
//
//   Grammar grammar(tables, stack, capacity);
//   each step: allowTokens(grammar, trie, eos, scratch, mask, vocab); step.allowed = mask; id = sample(...);
//              if (id is of eos) end; grammar.take(bytes of id);
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/generation/grammar_types.h"
#include "runtime-lite/generation/sampler_types.h"
#include "runtime-lite/types.h"

namespace sinter {
namespace {

class Grammar {
public:
  Grammar(const sinter_grammar &tables, int32_t *stack, int32_t capacity)
      : t(tables), stack(stack), capacity(capacity), state(tables.starts[0]) {}

  /// Where a text stands, without the stack's contents.
  struct Place {
    int32_t state, depth;
  };
  Place place() const { return {state, depth}; }
  void moveTo(Place to) {
    state = to.state;
    depth = to.depth;
  }

  /// Takes a byte. `replaced(i, old)` hears of each place of the stack that is written over. If the byte may not
  /// follow, returns false, and the place is no longer of use.
  template <class Replaced>
  bool takeByte(unsigned char byte, Replaced replaced) {
    for (;;) {
      const int32_t next = t.next[int64_t(state) * t.class_count + t.class_of[byte]];
      if (next >= 0) {
        state = next;
        return true;
      }
      if (const int32_t call = callWith(byte); call >= 0) {
        if (depth == capacity)
          return false;
        replaced(depth, stack[depth]);
        stack[depth++] = t.call_next[call];
        state = t.starts[t.call_rules[call]];
      } else if (t.accepts[state] && depth) {
        state = stack[--depth];
      } else {
        return false;
      }
    }
  }
  /// Takes a token's bytes; false if they may not follow.
  bool take(sinter_string token) {
    for (size_t i = 0; i < token.size; ++i)
      if (!takeByte(static_cast<unsigned char>(token.data[i]), [](int32_t, int32_t) {}))
        return false;
    return true;
  }
  /// Whether the text may end here.
  bool isComplete() const {
    int32_t at = state, left = depth;
    while (t.accepts[at]) {
      if (!left)
        return true;
      at = stack[--left];
    }
    return false;
  }
  int32_t *stackData() { return stack; }

private:
  /// The call whose rule begins with the byte, of which there is one at most; else -1.
  int32_t callWith(unsigned char byte) const {
    for (int32_t call = state ? t.call_ends[state - 1] : 0; call < t.call_ends[state]; ++call)
      if ((t.firsts[t.call_rules[call] * 8 + byte / 32] >> (byte % 32)) & 1)
        return call;
    return -1;
  }

  const sinter_grammar &t;
  int32_t *stack;
  int32_t capacity, state, depth = 0;
};

/// What walking a vocabulary remembers: a place per byte of the longest token, and each place of the stack once per
/// byte that entered a rule there.
struct GrammarUndo {
  int32_t index, old;
};
[[maybe_unused]] constexpr size_t grammar_scratch_bytes(int32_t longestToken, int32_t stackCapacity) {
  const size_t n = size_t(longestToken) + 1;
  return n * (sizeof(Grammar::Place) + sizeof(int32_t)) + (n + 1) * size_t(stackCapacity) * sizeof(GrammarUndo);
}

/// Sets the bits of the tokens that may follow, and of eos where the text may end. `scratch` has grammar_scratch_bytes,
/// aligned to 4. Tokens without bytes are never allowed.
SINTER_FUNCTION void allowTokens(Grammar &grammar, const sinter_token_trie &trie, sinter_ids eos, void *scratch,
                                 uint32_t *mask, int32_t vocab) {
  for (int32_t i = 0; i < (vocab + 31) / 32; ++i)
    mask[i] = 0;
  const auto allow = [=](int32_t id) { mask[id / 32] |= uint32_t(1) << (id % 32); };
  Grammar::Place *places = static_cast<Grammar::Place *>(scratch);
  void *behind = places + trie.longest + 1;
  int32_t *undoEnds = static_cast<int32_t *>(behind);
  void *last = undoEnds + trie.longest + 1;
  GrammarUndo *undo = static_cast<GrammarUndo *>(last);
  places[0] = grammar.place();
  undoEnds[0] = 0;
  int32_t known = 0, *const stack = grammar.stackData(); // bytes of the last token that were taken
  const auto goBackTo = [&](int32_t length) {
    for (int32_t i = undoEnds[known]; i-- > undoEnds[length];)
      stack[undo[i].index] = undo[i].old;
    known = length;
    grammar.moveTo(places[length]);
  };
  for (int32_t i = 0; i < trie.count; ++i) {
    const int32_t id = trie.order[i], begin = id ? trie.ends[id - 1] : 0, size = trie.ends[id] - begin;
    if (trie.shared[i] > known)
      continue; // it begins with what may not follow
    goBackTo(trie.shared[i]);
    bool fits = true;
    while (fits && known < size) {
      int32_t logged = undoEnds[known];
      fits = grammar.takeByte(static_cast<unsigned char>(trie.bytes[begin + known]),
                              [&](int32_t index, int32_t old) { undo[logged++] = {index, old}; });
      undoEnds[known + 1] = logged;
      if (fits) {
        places[++known] = grammar.place();
      } else {
        for (int32_t j = logged; j-- > undoEnds[known];)
          stack[undo[j].index] = undo[j].old;
      }
    }
    if (fits && size > 0)
      allow(id);
  }
  goBackTo(0);
  if (grammar.isComplete())
    for (int32_t i = 0; i < eos.count; ++i)
      allow(eos.ids[i]);
}

} // namespace
} // namespace sinter
