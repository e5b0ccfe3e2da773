// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in shares on the caller's pool (sinter_env's `parallel`). How it is split depends on the compiler's --threads
// and on nothing that varies between calls; a pool of fewer threads runs the same shares.
#pragma once

#include "runtime-lite/subnormals.h"
#include "runtime-lite/types.h"

namespace sinter {
namespace {

/// body(first, last, number of the share) for the shares of 0 <= i < n, each but the last a multiple of `unit`. Without
/// a pool, one share. The pool's threads compute as the caller does (subnormals.h).
template <class Body>
[[maybe_unused]] static inline void inNumberedShares(const sinter_parallel *pool, int shares, int64_t n, int64_t unit,
                                                     const Body &body) {
  const int64_t units = (n + unit - 1) / unit;
  const int64_t used = units < shares ? units : shares;
  if (!pool || !pool->run || used < 2) {
    body(int64_t(0), n, int64_t(0));
    return;
  }
  struct Job {
    const Body &body;
    int64_t n, unit, units, used;
    unsigned mode;
  };
  Job job = {body, n, unit, units, used, arithmeticMode()};
  pool->run(
      pool->ctx, int(used),
      [](void *argument, int i) {
        const Job &all = *static_cast<const Job *>(argument);
        const ModeScope mode(all.mode);
        const int64_t first = all.units * i / all.used * all.unit, end = all.units * (i + 1) / all.used * all.unit;
        all.body(first, end < all.n ? end : all.n, int64_t(i));
      },
      &job);
}

/// The same where the number does not matter: body(first, last).
template <class Body>
[[maybe_unused]] static inline void inShares(const sinter_parallel *pool, int shares, int64_t n, int64_t unit,
                                             const Body &body) {
  inNumberedShares(pool, shares, n, unit, [&](int64_t first, int64_t last, int64_t) { body(first, last); });
}

} // namespace
} // namespace sinter
