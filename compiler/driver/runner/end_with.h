// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program ends that cannot go on, by what is wrong with what it was given.
#pragma once

#include <cstdio>
#include <cstdlib>

/// Whether what stands on stdout is the begin of a line, which has an end before anything is said of it.
inline bool hasOpenLine = false;

/// `hint`: what to do, or null.
[[noreturn]] inline void endWith(const char *what, const char *hint = nullptr) {
  std::fflush(stdout);
  std::fprintf(stderr, "%ssinter: error: %s\n", hasOpenLine ? "\n" : "", what);
  if (hint)
    std::fprintf(stderr, "sinter: hint: %s\n", hint);
  std::exit(1);
}
