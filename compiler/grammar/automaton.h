// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules as one table of states over bytes, which runtime-lite/generation/grammar.h walks with a stack: a state goes on
// by a byte, enters a rule, or, where its rule may end, leaves it. Which of these a byte asks for is never open: that
// is checked here, as is that a text can be completed from every state.
#pragma once

#include "diagnostics/diagnostics.h"
#include "grammar/pattern.h"

#include <optional>

namespace sinter::grammar {

/// What a compile may take: hostile expressions end in a diagnostic.
constexpr size_t kMaxNfaStates = 50000, kMaxDfaStates = 20000, kMaxDepth = 64;
constexpr size_t kMaxWork = 100000000; // steps of the construction of subsets: about a second
constexpr int kMaxRepeats = 2000;

struct Automaton {
  struct State {
    std::vector<int32_t> next;                      ///< by class of byte; -1: none
    std::vector<std::pair<int32_t, int32_t>> calls; ///< rule, and the state behind it
    bool accepts = false;
    int32_t distance = 0; ///< bytes that end its rule at the soonest
  };
  std::vector<State> states;
  std::vector<int32_t> starts;  ///< of rules; rule 0 is the text
  std::vector<ByteSet> firsts;  ///< what rules begin with
  std::vector<uint8_t> classOf; ///< of a byte: bytes that no state tells apart are one
  int32_t classCount = 0;
};

/// Rule 0 is the whole text.
std::optional<Automaton> buildAutomaton(const std::vector<Pattern> &rules, Diagnostics &diagnostics);

} // namespace sinter::grammar
