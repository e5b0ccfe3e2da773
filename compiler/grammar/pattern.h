// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What texts a grammar allows, as a tree over bytes: what regular expressions (regex.h) and JSON schemas
// (json_schema.h) become, and what automaton.h makes tables of. A rule is a pattern with a number, which others, and it
// itself, may call.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::grammar {

using ByteSet = std::bitset<256>;

struct PatternNode;
using Pattern = std::shared_ptr<const PatternNode>;

/// What trees may have: an automaton of more would have too many states. What is larger is a node TooLarge, which keeps
/// none of its parts, and so is all that is made with it: a hostile text takes no memory, and no walk goes deeper.
constexpr size_t kMaxPatternSize = 100000, kMaxPatternDepth = 10000;

struct PatternNode {
  enum Kind { Bytes, Sequence, Choice, Repeat, Call, TooLarge } kind;
  ByteSet bytes;              ///< Bytes: one of these
  std::vector<Pattern> parts; ///< Sequence, Choice; Repeat: one
  int min = 0, max = -1;      ///< Repeat; max -1: no end
  int rule = 0;               ///< Call
  size_t size = 1, depth = 1; ///< nodes of the tree, as if none were shared; those on its longest path
};

Pattern bytesOf(ByteSet set);
Pattern literal(std::string_view text);
Pattern sequence(std::vector<Pattern> parts);
Pattern choice(std::vector<Pattern> parts);
Pattern repeat(Pattern part, int min, int max);
Pattern call(int rule);
/// The same of other parts.
Pattern withParts(const PatternNode &of, std::vector<Pattern> parts);
inline Pattern optional(Pattern part) { return repeat(std::move(part), 0, 1); }

/// Code points from the first to the second, in rising order and apart.
using CodePoints = std::vector<std::pair<uint32_t, uint32_t>>;
/// Their UTF-8 forms; surrogates have none.
Pattern utf8(const CodePoints &points);
/// All others.
CodePoints complement(CodePoints points);

} // namespace sinter::grammar
