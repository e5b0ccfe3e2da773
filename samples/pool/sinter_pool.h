// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool of threads for sinter_env.parallel: what calls of nets that were compiled with --threads share their work
// with. Copy this file into your project, or link the CMake target Sinter::pool. C++17; the header of a net comes
// before it.
//
//   static sinter::Pool pool(4);
//   sinter_env env = {};
//   env.size = sizeof env;
//   env.arena = arena;
//   env.parallel = pool.parallel();
//   int status = kws_run_with(&in, &out, &env);
#ifndef SINTER_POOL_H
#define SINTER_POOL_H

#ifndef SINTER_TYPES_1
#error "include the header of a net before sinter_pool.h"
#endif

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace sinter {

/// Threads that wait for work. Calls from several threads take turns. Must outlive the calls that use it.
class Pool {
public:
  /// `threads`: how many work, the caller's among them; 0: as many as the machine has.
  explicit Pool(int threads = 0) {
    const int count = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    interface.run = run;
    interface.ctx = this;
    interface.threads = count > 0 ? count : 1;
    for (int i = 1; i < interface.threads; ++i)
      helpers.emplace_back([this] { help(); });
  }
  ~Pool() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      ends = true;
    }
    wake.notify_all();
    for (std::thread &helper : helpers)
      helper.join();
  }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  const sinter_parallel *parallel() const { return &interface; }

private:
  using Task = void (*)(void *argument, int i);

  static void run(void *ctx, int n, Task task, void *argument) { static_cast<Pool *>(ctx)->share(n, task, argument); }

  void share(int n, Task work, void *with) {
    const std::lock_guard<std::mutex> turn(callers);
    std::unique_lock<std::mutex> lock(mutex);
    task = work;
    argument = with;
    next = 0;
    end = left = n;
    wake.notify_all();
    takeWork(lock);
    finished.wait(lock, [this] { return left == 0; });
  }

  void help() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      wake.wait(lock, [this] { return ends || next < end; });
      if (ends)
        return;
      takeWork(lock);
    }
  }

  /// Does shares until none is left to begin.
  void takeWork(std::unique_lock<std::mutex> &lock) {
    while (next < end) {
      const int i = next++;
      const Task work = task;
      void *const with = argument;
      lock.unlock();
      work(with, i);
      lock.lock();
      if (--left == 0)
        finished.notify_all();
    }
  }

  sinter_parallel interface = {};
  std::mutex callers; ///< one call's work at a time
  std::mutex mutex;   ///< of what follows
  std::condition_variable wake, finished;
  Task task = nullptr;
  void *argument = nullptr;
  int next = 0, end = 0, left = 0; ///< the share to begin next, how many there are, how many are not done
  bool ends = false;
  std::vector<std::thread> helpers;
};

} // namespace sinter

#endif
