// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that programs hand to the model: those of samples/pool, which users take too.
#pragma once

#if defined(__wasm__)
namespace sinter {
/// Without threads the caller does all shares.
class Pool {
public:
  explicit Pool(int threads) { interface.threads = threads; }
  const sinter_parallel *parallel() const { return &interface; }

private:
  static void run(void *, int n, void (*task)(void *, int), void *argument) {
    for (int i = 0; i < n; ++i)
      task(argument, i);
  }
  sinter_parallel interface = {run, nullptr, 1};
};
} // namespace sinter
#else
#include "sinter_pool.h"
#endif
