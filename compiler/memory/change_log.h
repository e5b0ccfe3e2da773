// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What changes while a choice or a loop is gone through: for the checkers, which go on from what was before, or from
// either.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <vector>

namespace sinter {

template <class Key, class State>
class ChangeLog {
public:
  using Changes = std::map<Key, State>;

  /// `key` is about to change; `old` is what it is.
  void note(const Key &key, const State &old) {
    if (!open.empty())
      open.back().try_emplace(key, old);
  }

  /// What it was, of all that `run` changes.
  Changes during(llvm::function_ref<void()> run) {
    open.emplace_back();
    run();
    Changes made = std::move(open.back());
    open.pop_back();
    if (!open.empty())
      open.back().insert(made.begin(), made.end());
    return made;
  }

private:
  std::vector<Changes> open; ///< of the choices and loops around, outermost first
};

} // namespace sinter
