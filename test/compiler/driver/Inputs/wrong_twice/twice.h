// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not what its reference says: bisect has to find it.
#pragma once
#include <stdint.h>

inline void twice(const float *x, const int64_t *x_dims, float *y, const int64_t *) {
  for (int64_t i = 0; i < x_dims[0] * x_dims[1]; ++i)
    y[i] = 2 * x[i] + (i == 1);
}
