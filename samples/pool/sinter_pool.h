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
//
// A call has hundreds of kernels of some microseconds each, so threads look out for the next one for half a millisecond
// before they sleep. Share i is thread i's: what a thread reads is what it wrote a kernel before, and lies in its
// cache. A share whose thread does not come, since the system runs another one in its place, is done by who is free.
#ifndef SINTER_POOL_H
#define SINTER_POOL_H

#ifndef SINTER_TYPES_1
#error "include the header of a net before sinter_pool.h"
#endif

#include <atomic>
#include <cstdint>
#if __has_include(<pthread.h>) && !defined(SINTER_POOL_STANDARD_THREADS)
#include <pthread.h>
#include <unistd.h>
#else
#include <condition_variable>
#include <mutex>
#include <thread>
#endif

namespace sinter {
namespace pool_threads {

#if __has_include(<pthread.h>) && !defined(SINTER_POOL_STANDARD_THREADS)
class Monitor {
public:
  void lock() { pthread_mutex_lock(&mutex); }
  void unlock() { pthread_mutex_unlock(&mutex); }
  void wait() { pthread_cond_wait(&changed, &mutex); }
  void wakeAll() { pthread_cond_broadcast(&changed); }

private:
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
};
class Thread {
public:
  /// False where the system gives no more.
  bool start(void *(*body)(void *), void *argument) { return pthread_create(&thread, nullptr, body, argument) == 0; }
  void join() { pthread_join(thread, nullptr); }

private:
  pthread_t thread = {};
};
inline int processors() {
#ifdef _WIN32
  return pthread_num_processors_np();
#else
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
#endif
}
#else
class Monitor {
public:
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  void wait() {
    std::unique_lock<std::mutex> held(mutex, std::adopt_lock);
    changed.wait(held);
    held.release();
  }
  void wakeAll() { changed.notify_all(); }

private:
  std::mutex mutex;
  std::condition_variable changed;
};
class Thread {
public:
  bool start(void *(*body)(void *), void *argument) {
    thread = std::thread([=] { body(argument); });
    return true;
  }
  void join() { thread.join(); }

private:
  std::thread thread;
};
inline int processors() { return static_cast<int>(std::thread::hardware_concurrency()); }
#endif

/// Between two looks: some tens of nanoseconds on x86, nothing elsewhere.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
  __asm__ volatile("yield");
#endif
}
#if defined(__x86_64__) || defined(__i386__)
constexpr int looksPerMicrosecond = 20;
#else
constexpr int looksPerMicrosecond = 200;
#endif

} // namespace pool_threads

/// Threads that wait for work. Calls from several threads take turns. Must outlive the calls that use it.
class Pool {
public:
  /// `threads`: how many work, the caller's among them; 0: as many as the machine has.
  explicit Pool(int threads = 0) {
    const int machine = pool_threads::processors(), wanted = threads > 0 ? threads : machine;
    const int count = wanted > 0 ? wanted : 1;
    // Where threads share processors, who looks out only takes time from who works.
    patience = count <= machine ? 500 * pool_threads::looksPerMicrosecond : 0;
    members = new Member[static_cast<unsigned>(count)];
    for (started = 1; started < count; ++started) {
      members[started].pool = this;
      members[started].number = started;
      if (!members[started].thread.start(begin, &members[started]))
        break;
    }
    interface.run = run;
    interface.ctx = this;
    interface.threads = started;
  }
  ~Pool() {
    ends.store(true);
    post(0);
    for (int i = 1; i < started; ++i)
      members[i].thread.join();
    delete[] members;
  }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  const sinter_parallel *parallel() const { return &interface; }

private:
  using Task = void (*)(void *argument, int i);
  /// A job's number, and behind it how many shares it has.
  using Job = uint64_t;
  static constexpr int shareBits = 16;
  static constexpr Job shareMask = (Job(1) << shareBits) - 1;

  /// A thread, whose shares are those with its number, and each further one as many behind as there are threads.
  struct alignas(64) Member {
    std::atomic<Job> begun{0}; ///< the last job of which one has begun, and how many
    Pool *pool = nullptr;
    int number = 0;
    pool_threads::Thread thread;
  };

  static void run(void *ctx, int n, Task task, void *argument) { static_cast<Pool *>(ctx)->share(n, task, argument); }
  static void *begin(void *argument) {
    const auto &member = *static_cast<const Member *>(argument);
    member.pool->help(member.number);
    return nullptr;
  }

  void share(int n, Task work, void *with) {
    if (started < 2 || n < 2 || n > static_cast<int>(shareMask)) {
      for (int i = 0; i < n; ++i)
        work(with, i);
      return;
    }
    callers.lock();
    task = work;
    argument = with;
    left.store(n, std::memory_order_relaxed);
    takeShares(0, post(n));
    if (!looksUntil([this] { return left.load(std::memory_order_acquire) == 0; }, patience)) {
      sleep.lock();
      callerSleeps.store(true);
      while (left.load() != 0)
        sleep.wait();
      callerSleeps.store(false);
      sleep.unlock();
    }
    callers.unlock();
  }

  /// Says that there is a job. Who falls asleep is counted before the last look: it sees the job, or is seen here.
  Job post(int n) {
    const Job job = ((posted.load(std::memory_order_relaxed) >> shareBits) + 1) << shareBits | static_cast<Job>(n);
    posted.store(job);
    if (sleepers.load() != 0) {
      sleep.lock();
      sleep.wakeAll();
      sleep.unlock();
    }
    return job;
  }

  void help(int number) {
    for (Job seen = 0;;) {
      const auto isNew = [&] { return posted.load(std::memory_order_acquire) != seen; };
      if (!looksUntil(isNew, patience)) {
        sleep.lock();
        sleepers.fetch_add(1);
        while (posted.load() == seen)
          sleep.wait();
        sleepers.fetch_sub(1);
        sleep.unlock();
      }
      if (ends.load())
        return;
      seen = posted.load(std::memory_order_acquire);
      takeShares(number, seen);
    }
  }

  /// A thread's own shares; then, where others do not begin theirs, these.
  void takeShares(int number, Job job) {
    while (doShare(number, job)) {
    }
    const auto isOver = [&] {
      return left.load(std::memory_order_relaxed) == 0 || posted.load(std::memory_order_relaxed) != job;
    };
    constexpr int untilOthersBegin = 3 * pool_threads::looksPerMicrosecond;
    if (looksUntil(isOver, untilOthersBegin < patience ? untilOthersBegin : patience))
      return;
    for (int i = 1; i < started; ++i)
      while (doShare((number + i) % started, job)) {
      }
  }

  /// False where none of that member's is left to begin.
  bool doShare(int number, Job job) {
    std::atomic<Job> &begun = members[number].begun;
    for (Job seen = begun.load(std::memory_order_relaxed);;) {
      const Job of = seen >> shareBits, current = job >> shareBits;
      if (of > current)
        return false; // a later job's: who looks is late
      const Job nth = of == current ? seen & shareMask : 0;
      const Job i = static_cast<Job>(number) + nth * static_cast<Job>(started);
      if (i >= (job & shareMask))
        return false;
      if (!begun.compare_exchange_weak(seen, current << shareBits | (nth + 1)))
        continue;
      task(argument, static_cast<int>(i)); // the job stays until this share is done
      if (left.fetch_sub(1) == 1 && callerSleeps.load()) {
        sleep.lock();
        sleep.wakeAll();
        sleep.unlock();
      }
      return true;
    }
  }

  template <class Condition>
  static bool looksUntil(const Condition &condition, int looks) {
    for (int look = 0; look < looks; ++look) {
      if (condition())
        return true;
      pool_threads::pause();
    }
    return condition();
  }

  sinter_parallel interface = {};
  Member *members = nullptr;
  int started = 0, patience = 0;        ///< threads, the caller's among them; looks before one sleeps
  pool_threads::Monitor callers, sleep; ///< one call's work at a time; of who sleeps
  Task task = nullptr;
  void *argument = nullptr;
  alignas(64) std::atomic<Job> posted{0};
  alignas(64) std::atomic<int> left{0}; ///< shares that are not done
  alignas(64) std::atomic<int> sleepers{0};
  std::atomic<bool> callerSleeps{false}, ends{false};
};

} // namespace sinter

#endif
