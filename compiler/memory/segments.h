// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map from all integers to T, T() where nothing was said, kept as runs of equal values. A step costs what it touches.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>

namespace sinter {

template <class T>
class Segments {
public:
  /// Calls `change` with the value of each run in [begin, end), and the run's ends.
  void change(int64_t begin, int64_t end, llvm::function_ref<void(T &, int64_t from, int64_t to)> change) {
    if (begin >= end)
      return;
    auto last = splitAt(end), segment = splitAt(begin);
    while (segment != last) {
      auto next = std::next(segment);
      change(segment->second, segment->first, next->first);
      joinWithPrevious(segment);
      segment = next;
    }
    joinWithPrevious(last);
  }

  void visit(int64_t begin, int64_t end, llvm::function_ref<void(const T &, int64_t from, int64_t to)> visit) const {
    auto segment = runs.upper_bound(begin);
    if (segment != runs.begin())
      --segment;
    for (; segment != runs.end() && segment->first < end; ++segment) {
      auto next = std::next(segment);
      int64_t from = std::max(segment->first, begin), to = next == runs.end() ? end : std::min(next->first, end);
      if (from < to)
        visit(segment->second, from, to);
    }
  }

private:
  using Runs = std::map<int64_t, T>;

  /// The run that begins at `position`, made if there was none.
  typename Runs::iterator splitAt(int64_t position) {
    auto next = runs.upper_bound(position);
    if (next == runs.begin())
      return runs.try_emplace(next, position);
    auto around = std::prev(next);
    return around->first == position ? around : runs.emplace_hint(next, position, around->second);
  }

  void joinWithPrevious(typename Runs::iterator run) {
    if (run == runs.begin() ? run->second == T() : std::prev(run)->second == run->second)
      runs.erase(run);
  }

  Runs runs; ///< from a position to the next key
};

} // namespace sinter
