// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grammar by hand: brackets within brackets.
#pragma once

#include "runtime-lite/generation/grammar_mask.h"

/// Rule 0: "(", perhaps rule 0, ")". States: 0 begins, 1 behind "(", 2 before ")", 3 ends.
struct Brackets {
  uint8_t classOf[256] = {};
  int32_t next[12] = {-1, 1, -1, -1, -1, 3, -1, -1, 3, -1, -1, -1};
  int32_t callEnds[4] = {0, 1, 1, 1}, callRules[1] = {0}, callNext[1] = {2}, starts[1] = {0};
  uint8_t accepts[4] = {0, 0, 0, 1};
  int32_t distances[4] = {2, 1, 1, 0};
  uint32_t firsts[8] = {0, uint32_t(1) << ('(' % 32)};
  Brackets() {
    classOf[int('(')] = 1;
    classOf[int(')')] = 2;
  }
  sinter_grammar view() const {
    return {classOf, 3, next, callEnds, callRules, callNext, accepts, distances, starts, firsts};
  }
};
