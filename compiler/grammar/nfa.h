// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pattern as a graph with moves that take nothing (Thompson's construction): the step between it and automaton.h.
#pragma once

#include "grammar/pattern.h"

namespace sinter::grammar {

struct Nfa {
  struct State {
    std::vector<int32_t> empty; ///< moves that take nothing
    ByteSet bytes;
    int32_t next = -1; ///< by one of the bytes, or behind the call
    int32_t rule = -1; ///< of a call
  };
  std::vector<State> states;
  int32_t start = 0, accept = 0;
  bool isTooLarge = false;
};

/// `mayBeEmpty`: of each rule.
Nfa nfaOf(const Pattern &pattern, const std::vector<bool> &mayBeEmpty);

} // namespace sinter::grammar
