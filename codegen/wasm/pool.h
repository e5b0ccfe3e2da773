// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares of a kernel are taken by whoever is free: the caller, and the workers that the script has started. A ticket is
// the job's number (32 bits), its shares (16), and how many of them are taken (16): who is late finds another number in
// it, and takes nothing. Callers never wait by an instruction, which a page's own thread must not execute.
namespace {
class WorkerPool {
public:
  /// sinter_parallel::run.
  static void run(void *, int n, void (*work)(void *, int), void *its) {
    task = work;
    argument = its;
    __atomic_store_n(&left, n, __ATOMIC_RELAXED);
    const unsigned number = posted + 1;
    __atomic_store_n(&ticket, (unsigned long long)number << 32 | (unsigned long long)n << 16, __ATOMIC_SEQ_CST);
    __atomic_store_n(&posted, number, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&sleeping, __ATOMIC_SEQ_CST) != 0)
      __builtin_wasm_memory_atomic_notify(reinterpret_cast<int *>(&posted), unsigned(n));
    takeShares();
    do {
      if (__atomic_load_n(&broken, __ATOMIC_RELAXED) != 0)
        __builtin_trap();
    } while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) != 0);
  }
  /// A worker's life.
  [[noreturn]] static void attend() {
    for (unsigned seen = __atomic_load_n(&posted, __ATOMIC_SEQ_CST);;) {
      takeShares();
      for (int look = 0; look < looksBeforeSleep && __atomic_load_n(&posted, __ATOMIC_ACQUIRE) == seen; ++look) {
      }
      // Counted before the last look: either it sees the new job, or who posts it sees that somebody sleeps.
      __atomic_add_fetch(&sleeping, 1, __ATOMIC_SEQ_CST);
      if (__atomic_load_n(&posted, __ATOMIC_SEQ_CST) == seen)
        __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int *>(&posted), int(seen), -1);
      __atomic_sub_fetch(&sleeping, 1, __ATOMIC_SEQ_CST);
      seen = __atomic_load_n(&posted, __ATOMIC_SEQ_CST);
    }
  }
  /// A worker has ended where none does: the call would wait for its share.
  static void fail() { __atomic_store_n(&broken, 1, __ATOMIC_RELAXED); }

private:
  static constexpr int looksBeforeSleep = 20000;

  static void takeShares() {
    for (unsigned long long seen = __atomic_load_n(&ticket, __ATOMIC_SEQ_CST);;) {
      const unsigned taken = unsigned(seen) & 0xffff;
      if (taken == (unsigned(seen) >> 16))
        return;
      if (!__atomic_compare_exchange_n(&ticket, &seen, seen + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
      task(argument, int(taken)); // the job stays until this share is done
      __atomic_sub_fetch(&left, 1, __ATOMIC_RELEASE);
      seen = __atomic_load_n(&ticket, __ATOMIC_SEQ_CST);
    }
  }

  static inline void (*task)(void *, int) = nullptr;
  static inline void *argument = nullptr;
  static inline unsigned long long ticket = 0;
  static inline int left = 0, sleeping = 0, broken = 0;
  static inline unsigned posted = 0;
};
} // namespace

extern "C" __attribute__((export_name("attend"))) void attend() { WorkerPool::attend(); }
extern "C" __attribute__((export_name("fail"))) void fail() { WorkerPool::fail(); }
