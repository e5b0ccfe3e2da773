// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While check_values.cpp runs a function: which results each value of the tensor form is at this moment. What a loop
// carries is another one in each iteration.
#pragma once

#include "buffer_contents.h"
#include "named_values.h"

namespace sinter {

class CurrentNames {
public:
  explicit CurrentNames(const NamedValues &values);

  /// Which of several it is depends on conditions; anyValue where nothing is known.
  ValueNames of(int64_t value) const { return Search(*this, value).all(); }

  /// The names of a value, the nearest first, as far as somebody asks: a value that is updated in n steps has n names,
  /// of which a reader mostly meets the last ones.
  class Search {
  public:
    Search(const CurrentNames &names, int64_t value) : names(names), work{value} {}
    /// Whether the value has one of `some`, or may be anything.
    bool hasOneOf(const ValueNames &some);
    const ValueNames &all();

  private:
    void step();

    const CurrentNames &names;
    std::vector<int64_t> work;
    size_t done = 0; ///< of `work`
    std::set<int64_t> seen;
    ValueNames found;
    std::vector<ValueName> latest; ///< found by the last step
  };

  ValueName given(int64_t input) const;
  /// The op `tag` makes its result anew, in the iteration `path` of the loops around it.
  ValueName make(int64_t tag, int64_t result, const std::vector<int64_t> &path);

  /// Binds what the loop carries to what it starts from.
  void enter(int64_t loop) { bind(loop, /*isFirst=*/true, /*keepOld=*/false); }
  /// Binds what the loop carries to what its body has made of it. `mayEnd`: or the loop has ended before.
  void next(int64_t loop, bool mayEnd) { bind(loop, /*isFirst=*/false, mayEnd); }
  /// The loop may not have run at all: it leaves what it starts from too.
  void mayNotRun(int64_t loop);

private:
  using Kind = NamedValues::Kind;

  void bind(int64_t loop, bool isFirst, bool keepOld);
  ValueName nameFor(int64_t tag, int64_t result, const std::vector<int64_t> &path) const;

  const NamedValues &values;
  mutable std::map<std::tuple<int64_t, int64_t, std::vector<int64_t>>, ValueName> names;
  std::set<std::pair<int64_t, int64_t>> results; ///< op and number, of all that is named
  std::map<std::pair<int64_t, int64_t>, ValueName> lastMade;
  std::map<int64_t, ValueNames> carried;
};

} // namespace sinter
