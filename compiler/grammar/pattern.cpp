// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/pattern.h"

#include <algorithm>

namespace sinter::grammar {

namespace {

Pattern node(PatternNode made) {
  bool isTooLarge = false;
  for (const Pattern &part : made.parts) {
    made.size += part->size;
    made.depth = std::max(made.depth, part->depth + 1);
    isTooLarge = isTooLarge || part->kind == PatternNode::TooLarge;
  }
  if (isTooLarge || made.size > kMaxPatternSize || made.depth > kMaxPatternDepth)
    made = {PatternNode::TooLarge, {}, {}, 0, -1, 0};
  return std::make_shared<const PatternNode>(std::move(made));
}

Pattern byteRange(uint32_t low, uint32_t high) {
  ByteSet set;
  for (uint32_t byte = low; byte <= high; ++byte)
    set.set(byte);
  return bytesOf(set);
}
/// Code points of one length, whose last `tail` bytes follow a lead with these first bits.
void addRange(std::vector<Pattern> &out, std::vector<Pattern> prefix, uint32_t low, uint32_t high, int tail,
              uint32_t lead) {
  if (tail == 0) {
    prefix.push_back(byteRange(lead | low, lead | high));
    out.push_back(sequence(std::move(prefix)));
    return;
  }
  const uint32_t unit = 1u << (6 * tail), rest = unit - 1;
  while (low <= high) {
    // As many leading bytes as have all tails, else one.
    const bool isWhole = (low & rest) == 0 && high - low >= rest;
    const uint32_t last = isWhole ? ((high + 1) & ~rest) - 1 : std::min(high, low | rest);
    std::vector<Pattern> longer = prefix;
    longer.push_back(byteRange(lead | low >> (6 * tail), lead | last >> (6 * tail)));
    addRange(out, std::move(longer), low & rest, last & rest, tail - 1, 0x80);
    low = last + 1;
  }
}

} // namespace

Pattern bytesOf(ByteSet set) { return node({PatternNode::Bytes, set, {}, 0, -1, 0}); }
Pattern sequence(std::vector<Pattern> parts) {
  return parts.size() == 1 ? parts[0] : node({PatternNode::Sequence, {}, std::move(parts), 0, -1, 0});
}
Pattern choice(std::vector<Pattern> parts) {
  return parts.size() == 1 ? parts[0] : node({PatternNode::Choice, {}, std::move(parts), 0, -1, 0});
}
Pattern repeat(Pattern part, int min, int max) {
  return node({PatternNode::Repeat, {}, {std::move(part)}, min, max, 0});
}
Pattern withParts(const PatternNode &of, std::vector<Pattern> parts) {
  return node({of.kind, of.bytes, std::move(parts), of.min, of.max, of.rule});
}
Pattern call(int rule) { return node({PatternNode::Call, {}, {}, 0, -1, rule}); }

Pattern literal(std::string_view text) {
  std::vector<Pattern> parts;
  for (const char c : text)
    parts.push_back(bytesOf(ByteSet().set(static_cast<unsigned char>(c))));
  return sequence(std::move(parts));
}

Pattern utf8(const CodePoints &points) {
  struct Length {
    uint32_t low, high, lead;
    int tail;
  };
  const Length lengths[] = {{0, 0x7f, 0, 0},
                            {0x80, 0x7ff, 0xc0, 1},
                            {0x800, 0xd7ff, 0xe0, 2},
                            {0xe000, 0xffff, 0xe0, 2},
                            {0x10000, 0x10ffff, 0xf0, 3}};
  std::vector<Pattern> out;
  for (const auto &[first, last] : points)
    for (const Length &length : lengths) {
      const uint32_t low = std::max(first, length.low), high = std::min(last, length.high);
      if (low <= high)
        addRange(out, {}, low, high, length.tail, length.lead);
    }
  return choice(std::move(out));
}

CodePoints complement(CodePoints points) {
  std::sort(points.begin(), points.end());
  CodePoints out;
  uint32_t next = 0;
  for (const auto &[first, last] : points) {
    if (first > next)
      out.push_back({next, first - 1});
    next = std::max(next, last + 1);
  }
  if (next <= 0x10ffff)
    out.push_back({next, 0x10ffff});
  return out;
}

} // namespace sinter::grammar
