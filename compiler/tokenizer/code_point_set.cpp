// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/code_point_set.h"

#include <algorithm>

namespace sinter::tokenizer {

void CodePointSet::add(const CodePointSet &other) {
  std::vector<Range> all = sorted;
  all.insert(all.end(), other.sorted.begin(), other.sorted.end());
  std::sort(all.begin(), all.end());
  sorted.clear();
  for (const Range &range : all)
    if (!sorted.empty() && range.first <= sorted.back().second + 1)
      sorted.back().second = std::max(sorted.back().second, range.second);
    else
      sorted.push_back(range);
}

CodePointSet CodePointSet::complement() const {
  CodePointSet result;
  uint32_t next = 0;
  for (const Range &range : sorted) {
    if (range.first > next)
      result.sorted.push_back({next, range.first - 1});
    next = range.second + 1;
  }
  if (next <= lastCodePoint)
    result.sorted.push_back({next, lastCodePoint});
  return result;
}

CodePointSet CodePointSet::operator&(const CodePointSet &other) const {
  CodePointSet without = complement();
  without.add(other.complement());
  return without.complement();
}

bool CodePointSet::contains(uint32_t codePoint) const {
  auto after = std::upper_bound(sorted.begin(), sorted.end(), Range(codePoint, UINT32_MAX));
  return after != sorted.begin() && std::prev(after)->second >= codePoint;
}

} // namespace sinter::tokenizer
