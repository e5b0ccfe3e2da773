// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time as measured programs take it.
#pragma once

#include <cstdint>
#include <ctime>

/// Nanoseconds of a clock that is never set.
inline int64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

inline double secondsBetween(int64_t start, int64_t end) { return static_cast<double>(end - start) * 1e-9; }
