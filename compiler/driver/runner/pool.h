// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread pool that measured programs hand to the model (sinter_parallel): threads are made once, wait for work
// awake for a while, as peers' pools do, and then asleep.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i)
      workers.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stop = true;
      ++posted;
    }
    wake.notify_all();
    for (std::thread &worker : workers)
      worker.join();
  }

  /// sinter_parallel::run; the caller takes part.
  static void run(void *ctx, int n, void (*task)(void *, int), void *argument) {
    auto &pool = *static_cast<Pool *>(ctx);
    {
      std::lock_guard<std::mutex> lock(pool.mutex);
      pool.task = task;
      pool.argument = argument;
      pool.next = 0;
      pool.count = n;
      pool.left = n;
      ++pool.posted;
    }
    pool.wake.notify_all();
    pool.take();
    while (pool.left.load(std::memory_order_acquire) != 0)
      std::this_thread::yield();
  }

private:
  static constexpr int looksBeforeSleep = 20000;

  void take() {
    for (;;) {
      int mine;
      void (*mineTask)(void *, int);
      void *mineArgument;
      {
        std::lock_guard<std::mutex> lock(mutex);
        if (next == count)
          return;
        mine = next++;
        mineTask = task;
        mineArgument = argument;
      }
      mineTask(mineArgument, mine);
      left.fetch_sub(1, std::memory_order_release);
    }
  }
  void work() {
    uint64_t seen = 0;
    for (;;) {
      for (int look = 0; look < looksBeforeSleep && posted.load(std::memory_order_acquire) == seen; ++look) {
      }
      {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, [&] { return posted.load(std::memory_order_relaxed) != seen; });
        seen = posted.load(std::memory_order_relaxed);
        if (stop)
          return;
      }
      take();
    }
  }

  std::mutex mutex;
  std::condition_variable wake;
  void (*task)(void *, int) = nullptr;
  void *argument = nullptr;
  int next = 0, count = 0;
  bool stop = false;
  std::atomic<int> left{0};
  std::atomic<uint64_t> posted{0};
  std::vector<std::thread> workers;
};
