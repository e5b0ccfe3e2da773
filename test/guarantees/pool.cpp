// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// samples/pool: each share of a job is done once, whoever does it, by threads that look out, that sleep and that are
// busy elsewhere, for two callers. threads.py builds it with ThreadSanitizer, for both kinds of threads.
#include "runtime-lite/types.h"

#include "sinter_pool.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {
std::atomic<int> wrong{0};

struct Shares {
  std::vector<int> done; ///< no atomics: ThreadSanitizer finds what the pool does not order
  int busy = -1;         ///< a share that takes long

  void runOn(const sinter::Pool &pool, int n) {
    done.assign(static_cast<size_t>(n), 0);
    const sinter_parallel *parallel = pool.parallel();
    parallel->run(
        parallel->ctx, n,
        [](void *argument, int i) {
          auto &shares = *static_cast<Shares *>(argument);
          if (i == shares.busy)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          ++shares.done[static_cast<size_t>(i)];
        },
        this);
    for (const int times : done)
      wrong += times != 1;
  }
};

/// Jobs of different sizes, some after a pause in which threads fall asleep.
void call(const sinter::Pool &pool, int jobs) {
  Shares shares;
  for (int job = 0; job < jobs; ++job) {
    if (job % 50 == 49)
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    const int n = job * 7 % 11;
    shares.busy = job % 40 == 0 ? job / 40 % (n + 1) : -1;
    shares.runOn(pool, n);
  }
}
} // namespace

int main() {
  for (int threads = 1; threads <= 6; ++threads) {
    const sinter::Pool pool(threads);
    if (pool.parallel()->threads != threads)
      ++wrong;
    std::thread other([&] { call(pool, 300); });
    call(pool, 300);
    other.join();
    Shares many;
    many.runOn(pool, 70000);
  }
  {
    const sinter::Pool unused(3);
  }
  if (wrong)
    std::fprintf(stderr, "%d shares were not done, or done twice\n", wrong.load());
  return wrong != 0;
}
