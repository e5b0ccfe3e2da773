// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tokens may follow a text, as the mask that a sampler takes (sinter_step::allowed). A vocabulary is walked in
// the order of its bytes, each prefix once. What that finds depends on the state alone, but for tokens that end the
// innermost rule: so masks are kept by state, with the places at which that happens.
#pragma once

#include "grammar.h"

namespace sinter::generation {

constexpr int32_t kLongestAllowed = 255; ///< bytes; longer tokens are never allowed, shorter ones spell the same

/// A mask that is kept, and behind it its words.
struct KeptMask {
  static constexpr int32_t kMostLeaves = 256;
  int32_t state;    ///< and one; 0: none
  int32_t opened;   ///< rules that one of its tokens opens at most
  int32_t distance; ///< bytes that one of them leaves to be written at most, in the innermost rule
  int32_t leaveCount;
  int32_t leaveTokens[kMostLeaves], leaveBytes[kMostLeaves]; ///< where tokens leave the innermost rule
};
constexpr int32_t kKeptMasks = 64; ///< more than a grammar of JSON has states within strings
constexpr int32_t maskWords(int32_t vocab) { return (vocab + 31) / 32; }
/// Of a cache, which is all zero at first and aligned to 4; one per grammar and vocabulary.
constexpr size_t grammarCacheBytes(int32_t tokens) {
  return sizeof(int32_t) + kKeptMasks * (sizeof(KeptMask) + size_t(maskWords(tokens)) * sizeof(uint32_t));
}

/// What a mask is asked for besides.
struct MaskWish {
  const int32_t *ends = nullptr; ///< tokens that end a text: allowed where it may end, and nowhere else
  int32_t endCount = 0;
  int32_t budget = 0; ///< so many tokens may still come, and the text is to be complete then; 0: any number
};

class TokenMask {
public:
  TokenMask(const Grammar &text, const sinter_token_trie &trie, const MaskWish &wish, uint32_t *mask, int32_t vocab)
      : text(text), trie(trie), wish(wish), mask(mask), vocab(vocab), walk(text.tables, text.stack, text.capacity) {
    limit = walk.distance(text.place()) - 1;
    if (wish.budget && limit < wish.budget - 1)
      limit = wish.budget - 1;
  }

  /// Sets the bits; false: none is set.
  bool fill(void *cache) {
    for (int32_t i = 0; i < maskWords(vocab); ++i)
      mask[i] = 0;
    if (!cache || !fillBy(cache))
      fillFrom(0, 0, text.place(), 0);
    for (int32_t i = 0; i < wish.endCount; ++i)
      set(mask, wish.ends[i], false);
    isAny = isAny && hasBits();
    if (text.isComplete())
      for (int32_t i = 0; i < wish.endCount; ++i) {
        set(mask, wish.ends[i], true);
        isAny = true;
      }
    return isAny;
  }

private:
  void set(uint32_t *bits, int32_t id, bool value) const {
    if (id >= 0 && id < vocab)
      bits[id / 32] = (bits[id / 32] & ~(uint32_t(1) << (id % 32))) | uint32_t(value) << (id % 32);
  }
  bool hasBits() const {
    uint32_t all = 0;
    if (vocab % 32) // bits that are no tokens
      mask[vocab / 32] &= (uint32_t(1) << (vocab % 32)) - 1;
    for (int32_t i = 0; i < maskWords(vocab); ++i)
      all |= mask[i];
    return all != 0;
  }

  /// Tries tokens from one place of the order on, `known` bytes of which lead to `place`, and those behind it that
  /// begin with the same `least` bytes. Says how many were looked at.
  template <class Allow, class Leave>
  int32_t tokensFrom(GrammarWalk &by, int32_t first, int32_t known, GrammarPlace place, int32_t least, Allow allow,
                     Leave leave) {
    GrammarPlace places[kLongestAllowed + 1];
    int32_t looked = 0;
    places[known] = place;
    for (int32_t i = first; i < trie.count && (i == first || trie.shared[i] >= least); ++looked) {
      const int32_t id = trie.order[i], begin = id ? trie.ends[id - 1] : 0, size = trie.ends[id] - begin;
      known = i == first ? known : trie.shared[i];
      place = places[known];
      ByteFit fit = ByteFit::Taken;
      while (known < size && (fit = by.take(place, static_cast<uint8_t>(trie.bytes[begin + known]))) == ByteFit::Taken)
        places[++known] = place;
      if (fit == ByteFit::Leaves)
        leave(i, known);
      else if (fit == ByteFit::Taken && size > 0)
        allow(id, place);
      ++i;
      if (fit != ByteFit::Taken) // neither do others that begin so
        while (i < trie.count && trie.shared[i] > known)
          i = trie.jumps[i];
    }
    return looked;
  }
  void fillFrom(int32_t first, int32_t known, GrammarPlace place, int32_t least) {
    tokensFrom(
        walk, first, known, place, least,
        [&](int32_t id, const GrammarPlace &at) {
          if (wish.budget && walk.distance(at) > limit)
            return;
          set(mask, id, true);
          isAny = true;
        },
        [](int32_t, int32_t) {});
  }

  KeptMask &keptAt(void *cache, int32_t slot) const {
    unsigned char *bytes = static_cast<unsigned char *>(cache) + sizeof(int32_t);
    void *at = bytes + size_t(slot) * (sizeof(KeptMask) + size_t(maskWords(trie.count)) * sizeof(uint32_t));
    return *static_cast<KeptMask *>(at);
  }
  static uint32_t *wordsOf(KeptMask &kept) {
    void *behind = &kept + 1;
    return static_cast<uint32_t *>(behind);
  }
  /// A mask of the state by itself; it stays in the cache if it took long.
  KeptMask &keptOf(void *cache, bool &stays) {
    for (int32_t slot = 0; slot < kKeptMasks; ++slot)
      if (KeptMask &kept = keptAt(cache, slot); kept.state == text.state + 1)
        return kept;
    int32_t &turn = *static_cast<int32_t *>(cache);
    KeptMask &kept = keptAt(cache, turn);
    kept.state = text.state + 1;
    kept.opened = kept.distance = kept.leaveCount = 0;
    uint32_t *const words = wordsOf(kept);
    for (int32_t i = 0; i < maskWords(trie.count); ++i)
      words[i] = 0;
    constexpr int32_t anyDepth = 1 << 30, many = 256;
    GrammarWalk alone(text.tables, nullptr, anyDepth);
    const int32_t looked = tokensFrom(
        alone, 0, 0, {text.state, 0, 0, 0}, 0,
        [&](int32_t id, const GrammarPlace &at) {
          words[id / 32] |= uint32_t(1) << (id % 32);
          const int32_t distance = alone.distance(at);
          kept.opened = at.used > kept.opened ? at.used : kept.opened;
          kept.distance = distance > kept.distance ? distance : kept.distance;
        },
        [&](int32_t token, int32_t byte) {
          if (kept.leaveCount < KeptMask::kMostLeaves) {
            kept.leaveTokens[kept.leaveCount] = token;
            kept.leaveBytes[kept.leaveCount] = byte;
          }
          ++kept.leaveCount;
        });
    stays = looked >= many;
    if (stays)
      turn = (turn + 1) % kKeptMasks;
    return kept;
  }
  /// False: what is kept of the state does not hold here.
  bool fillBy(void *cache) {
    bool stays = true;
    KeptMask &kept = keptOf(cache, stays);
    const int32_t around = walk.distance(text.place()) - text.tables.distances[text.state];
    const bool holds = kept.leaveCount <= KeptMask::kMostLeaves && text.depth + kept.opened <= text.capacity &&
                       (!wish.budget || kept.distance + around <= limit);
    if (holds) {
      const int32_t tokens = trie.count < vocab ? trie.count : vocab;
      for (int32_t i = 0; i < maskWords(tokens); ++i)
        mask[i] = wordsOf(kept)[i];
      isAny = true; // or not: the bits say it
      for (int32_t i = 0; text.depth && i < kept.leaveCount; ++i)
        fillFrom(kept.leaveTokens[i], kept.leaveBytes[i],
                 {text.stack[text.depth - 1], text.depth - 1, text.depth - 1, 0}, kept.leaveBytes[i] + 1);
    }
    if (!stays)
      kept.state = 0;
    return holds;
  }

  const Grammar &text;
  const sinter_token_trie &trie;
  const MaskWish &wish;
  uint32_t *mask;
  int32_t vocab;
  GrammarWalk walk;
  int32_t limit; ///< bytes that may be left behind a token
  bool isAny = false;
};

/// Sets the bits of the tokens that may follow; false: none may. `cache` may be null. Where the wished number of tokens
/// is too small to complete the text, those are allowed that bring it nearer; where there are none of these, all.
inline bool allowTokens(const Grammar &text, const sinter_token_trie &trie, MaskWish wish, void *cache, uint32_t *mask,
                        int32_t vocab) {
  const bool isAny = TokenMask(text, trie, wish, mask, vocab).fill(cache);
  if (isAny || !wish.budget)
    return isAny;
  wish.budget = 0;
  return TokenMask(text, trie, wish, mask, vocab).fill(cache);
}

} // namespace sinter::generation
