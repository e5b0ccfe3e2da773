// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long it takes until a thread that waits has what another one gives it. For peak.cpp.
#pragma once

#include "clock.h"

#include <pthread.h>

struct Handoff {
  int turn = 0;
  bool ends = false;

  static void *answer(void *of) {
    auto *handoff = static_cast<Handoff *>(of);
    while (!__atomic_load_n(&handoff->ends, __ATOMIC_ACQUIRE))
      if (__atomic_load_n(&handoff->turn, __ATOMIC_ACQUIRE) == 1)
        __atomic_store_n(&handoff->turn, 0, __ATOMIC_RELEASE);
    return nullptr;
  }

  /// Half of the shortest of many ways there and back; negative where there is no second thread. A machine with one
  /// core takes a time slice for each way, so the number of ways depends on the time they take.
  static double seconds() {
    constexpr double longest = 0.5;
    Handoff handoff;
    pthread_t other;
    if (pthread_create(&other, nullptr, answer, &handoff) != 0)
      return -1;
    double least = -1;
    const int64_t begin = now();
    while (secondsBetween(begin, now()) < longest) {
      constexpr int ways = 64;
      const int64_t start = now();
      for (int way = 0; way < ways; ++way) {
        __atomic_store_n(&handoff.turn, 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(&handoff.turn, __ATOMIC_ACQUIRE) == 1) {
        }
      }
      const double each = secondsBetween(start, now()) / (2 * ways);
      if (least < 0 || each < least)
        least = each;
    }
    __atomic_store_n(&handoff.ends, true, __ATOMIC_RELEASE);
    pthread_join(other, nullptr);
    return least;
  }
};
