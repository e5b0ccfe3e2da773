// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It takes the program with it: bisect has to find that, too.
#pragma once
#include <stdint.h>

inline void twice(const float *x, const int64_t *, float *, const int64_t *) {
  if (x[0] >= 0) // always: it is behind a Relu
    __builtin_trap();
}
