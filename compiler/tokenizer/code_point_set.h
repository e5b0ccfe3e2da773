// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of characters, as sorted ranges.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace sinter::tokenizer {

constexpr uint32_t lastCodePoint = 0x10ffff;

class CodePointSet {
public:
  using Range = std::pair<uint32_t, uint32_t>; ///< first and last

  CodePointSet() = default;
  CodePointSet(uint32_t first, uint32_t last) : sorted{{first, last}} {}
  void add(const CodePointSet &other);
  /// A range behind all that is there.
  void append(Range range) { sorted.push_back(range); }
  CodePointSet complement() const;
  CodePointSet operator&(const CodePointSet &other) const;
  bool contains(uint32_t codePoint) const;
  bool isEmpty() const { return sorted.empty(); }
  const std::vector<Range> &ranges() const { return sorted; }
  bool operator==(const CodePointSet &other) const { return sorted == other.sorted; }

private:
  std::vector<Range> sorted; ///< neither overlapping nor touching
};

} // namespace sinter::tokenizer
