// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program ends that cannot go on, by what is wrong with what it was given.
#pragma once

#include <cstdio>
#include <cstdlib>

[[noreturn]] inline void endWith(const char *what) {
  std::fflush(stdout);
  std::fprintf(stderr, "\nsinter: error: %s\n", what);
  std::exit(1);
}
