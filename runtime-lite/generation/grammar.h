// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constrained output: where a text stands in a grammar. Recursion has a stack of the caller's; text that would need a
// deeper one is not allowed. grammar_mask.h says which tokens may follow.
//
//   Grammar grammar(tables, stack, capacity);
//   each step: allowTokens(grammar, trie, {ends, count}, cache, mask, vocab); step.allowed = mask; id = sample(...);
//              if (id is of ends) end; grammar.take(bytes of id, how many);
#pragma once

#include "grammar_types.h"

#include <stddef.h>

namespace sinter::generation {

/// Where a text stands while bytes are tried: rules that they open lie beside the text's own.
struct GrammarPlace {
  int32_t state;
  int32_t top;   ///< the innermost open rule: ~i of those beside; else how many of the text's own are still open
  int32_t depth; ///< rules that are open
  int32_t used;  ///< of those beside
};

enum class ByteFit {
  Taken,
  Refused,
  Leaves ///< the outermost rule ends in front of it
};

/// Walks from a text's place without changing it.
class GrammarWalk {
public:
  /// `stack` has the states behind the text's open rules, the outermost first.
  GrammarWalk(const sinter_grammar &tables, const int32_t *stack, int32_t capacity)
      : t(tables), stack(stack), capacity(capacity) {}

  /// Goes on by a byte. Unless it is taken the place is no longer of use.
  ByteFit take(GrammarPlace &at, uint8_t byte) {
    for (;;) {
      const int32_t next = t.next[int64_t(at.state) * t.class_count + t.class_of[byte]];
      if (next >= 0) {
        at.state = next;
        return ByteFit::Taken;
      }
      if (const int32_t call = callWith(at.state, byte); call >= 0) {
        if (const int32_t behind = t.call_next[call]; behind >= 0) {
          if (at.depth == capacity || at.used == kMostOpened)
            return ByteFit::Refused;
          opened[at.used] = {behind, at.top, t.distances[behind] + distanceOf(at.top)};
          at.top = ~at.used++;
          ++at.depth;
        }
        at.state = t.starts[t.call_rules[call]];
      } else if (!t.accepts[at.state]) {
        return ByteFit::Refused;
      } else if (!at.depth) {
        return ByteFit::Leaves;
      } else {
        at.state = at.top < 0 ? opened[~at.top].state : stack[at.top - 1];
        at.top = at.top < 0 ? opened[~at.top].below : at.top - 1;
        --at.depth;
      }
    }
  }
  /// How many bytes complete the text at the soonest.
  int32_t distance(const GrammarPlace &at) { return t.distances[at.state] + distanceOf(at.top); }
  /// Writes the rules that are open beside the text's own behind these.
  void writeOpened(const GrammarPlace &at, int32_t *to) const {
    int32_t depth = at.depth;
    for (int32_t top = at.top; top < 0; top = opened[~top].below)
      to[--depth] = opened[~top].state;
  }

private:
  /// The call whose rule begins with the byte, of which there is one at most; else -1.
  int32_t callWith(int32_t state, uint8_t byte) const {
    for (int32_t call = state ? t.call_ends[state - 1] : 0; call < t.call_ends[state]; ++call)
      if ((t.firsts[t.call_rules[call] * 8 + byte / 32] >> (byte % 32)) & 1)
        return call;
    return -1;
  }
  int32_t distanceOf(int32_t top) {
    if (top < 0)
      return opened[~top].distance;
    if (top != summed) { // which is mostly the same one
      sum = 0;
      for (int32_t i = 0; i < top; ++i)
        sum += t.distances[stack[i]];
      summed = top;
    }
    return sum;
  }

  static constexpr int32_t kMostOpened = 256;
  struct OpenRule {
    int32_t state, below, distance; ///< that behind it, what is open around it, and how many bytes end all of these
  };
  const sinter_grammar &t;
  const int32_t *stack;
  int32_t capacity, summed = 0, sum = 0;
  OpenRule opened[kMostOpened];
};

/// A text. The stack is the caller's, as are the numbers that say where it stands.
struct Grammar {
  Grammar(const sinter_grammar &tables, int32_t *stack, int32_t capacity, int32_t state = 0, int32_t depth = 0)
      : tables(tables), stack(stack), capacity(capacity), state(state), depth(depth) {}

  GrammarPlace place() const { return {state, depth, depth, 0}; }
  /// Takes a token's bytes. If they may not follow, returns false and stays where it is.
  bool take(const char *bytes, size_t size) {
    GrammarWalk walk(tables, stack, capacity);
    GrammarPlace at = place();
    for (size_t i = 0; i < size; ++i)
      if (walk.take(at, static_cast<uint8_t>(bytes[i])) != ByteFit::Taken)
        return false;
    walk.writeOpened(at, stack);
    state = at.state;
    depth = at.depth;
    return true;
  }
  /// Whether the text may end here.
  bool isComplete() const {
    int32_t at = state, left = depth;
    while (tables.accepts[at]) {
      if (!left)
        return true;
      at = stack[--left];
    }
    return false;
  }

  const sinter_grammar &tables;
  int32_t *stack;
  int32_t capacity, state, depth;
};

} // namespace sinter::generation
