// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program ends that cannot go on, by what is wrong with what it was given.
#pragma once

#include <cstdio>
#include <cstdlib>

/// `hint`: what to do, or null.
[[noreturn]] inline void endWith(const char *what, const char *hint = nullptr) {
  std::fflush(stdout);
  std::fprintf(stderr, "\nsinter: error: %s\n", what);
  if (hint)
    std::fprintf(stderr, "sinter: hint: %s\n", hint);
  std::exit(1);
}
