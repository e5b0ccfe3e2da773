// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread pool that measured programs hand to the model (sinter_parallel): threads are made once, wait for work
// awake for a while, as peers' pools do, and then asleep.
#pragma once

#include "list.h"

#if defined(__wasm__)
/// Without threads the caller does it all.
class Pool {
public:
  explicit Pool(int) {}
  static void run(void *, int n, void (*task)(void *, int), void *argument) {
    for (int i = 0; i < n; ++i)
      task(argument, i);
  }
};
#else
#include <pthread.h>
#include <sched.h>

class Pool {
public:
  /// Fewer where the system gives no more.
  explicit Pool(int threads) {
    pthread_t worker;
    for (int i = 1; i < threads && pthread_create(&worker, nullptr, begin, this) == 0; ++i)
      workers.push_back(worker);
  }
  ~Pool() {
    {
      const Lock lock(mutex);
      stop = true;
      post();
    }
    pthread_cond_broadcast(&wake);
    for (const pthread_t worker : workers)
      pthread_join(worker, nullptr);
  }

  /// sinter_parallel::run; the caller takes part.
  static void run(void *ctx, int n, void (*task)(void *, int), void *argument) {
    auto &pool = *static_cast<Pool *>(ctx);
    {
      const Lock lock(pool.mutex);
      pool.task = task;
      pool.argument = argument;
      pool.next = 0;
      pool.count = n;
      pool.left = n;
      pool.post();
    }
    pthread_cond_broadcast(&pool.wake);
    pool.take();
    while (__atomic_load_n(&pool.left, __ATOMIC_ACQUIRE) != 0)
      sched_yield();
  }

private:
  static constexpr int looksBeforeSleep = 20000;

  class Lock {
  public:
    explicit Lock(pthread_mutex_t &mutex) : mutex(mutex) { pthread_mutex_lock(&mutex); }
    ~Lock() { pthread_mutex_unlock(&mutex); }

  private:
    pthread_mutex_t &mutex;
  };
  static void *begin(void *pool) {
    static_cast<Pool *>(pool)->work();
    return nullptr;
  }

  /// With the lock; others look without it.
  void post() { __atomic_store_n(&posted, posted + 1, __ATOMIC_RELEASE); }

  void take() {
    for (;;) {
      int mine;
      void (*mineTask)(void *, int);
      void *mineArgument;
      {
        const Lock lock(mutex);
        if (next == count)
          return;
        mine = next++;
        mineTask = task;
        mineArgument = argument;
      }
      mineTask(mineArgument, mine);
      __atomic_sub_fetch(&left, 1, __ATOMIC_RELEASE);
    }
  }
  void work() {
    unsigned seen = 0;
    for (;;) {
      for (int look = 0; look < looksBeforeSleep && __atomic_load_n(&posted, __ATOMIC_ACQUIRE) == seen; ++look) {
      }
      {
        const Lock lock(mutex);
        while (posted == seen)
          pthread_cond_wait(&wake, &mutex);
        seen = posted;
        if (stop)
          return;
      }
      take();
    }
  }

  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
  void (*task)(void *, int) = nullptr;
  void *argument = nullptr;
  int next = 0, count = 0;
  bool stop = false;
  int left = 0;
  unsigned posted = 0;
  List<pthread_t> workers;
};
#endif
