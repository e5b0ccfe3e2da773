// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler: each thread of a block runs until it waits. A warp goes on when its 32 lanes wait in one operation,
// the block when all its threads wait at the barrier; when nothing can go on, the kernel is wrong.
#include "threads.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#if defined(EMULATION_TSAN)
#include <sanitizer/tsan_interface.h>
extern "C" void __tsan_read_range(void *from, unsigned long bytes);
extern "C" void __tsan_write_range(void *to, unsigned long bytes);
#endif

namespace sinter::cuda::emulation {
namespace {

struct Machine {
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<Thread *> block; // those of the block at hand
  Fiber scheduler;
  Fiber launcher; // to TSan what prepares blocks; it never learns what their threads did, so blocks stay in no order
  Grid grid;
  int at[3] = {};
  int current = 0;
  int64_t awaited = 0, brought = 0; // by so many threads of the launch; sectors to L2
  unsigned char *shared = nullptr;
  void (*body)(void *) = nullptr;
  void *argument = nullptr;
  const char *error = nullptr;
  bool anySays = false, anySaid = false; // of the threads that come to a barrier, and that came to the last
  char barriers[2] = {}; // what TSan knows barriers by: in turn, since who leaves one may reach the next before others
};
Machine machine;

void suspend(State state) {
  Thread &thread = running();
  thread.state = state;
  thread.fiber.ends = state == State::Done;
  thread.fiber.switchTo(machine.scheduler);
}
void acquire([[maybe_unused]] void *what) {
#if defined(EMULATION_TSAN)
  __tsan_acquire(what);
#endif
}
void release([[maybe_unused]] void *what) {
#if defined(EMULATION_TSAN)
  __tsan_release(what);
#endif
}
void runThread() {
  machine.body(machine.argument);
  suspend(State::Done);
}

/// Runs the lanes of a warp until each waits; whether any ran.
bool runLanes(int first) {
  bool ran = false;
  for (int t = first; t < first + 32 && !machine.error; ++t) {
    if (machine.block[size_t(t)]->state != State::Ready)
      continue;
    machine.current = t;
    machine.scheduler.switchTo(machine.block[size_t(t)]->fiber);
    ran = true;
  }
  return ran;
}
int count(int first, int last, State state) {
  int n = 0;
  for (int t = first; t < last; ++t)
    n += machine.block[size_t(t)]->state == state;
  return n;
}
/// Does the operation that a warp's lanes wait in and lets them go on, if all do.
bool releaseWarp(int first) {
  if (count(first, first + 32, State::AtWarp) != 32)
    return false;
  Thread *const *lanes = &machine.block[size_t(first)];
  void *operands[32];
  for (int l = 0; l < 32; ++l) {
    if (std::strcmp(lanes[l]->operation, lanes[0]->operation) != 0) {
      machine.error = "lanes of a warp are in different operations";
      return false;
    }
    operands[l] = lanes[l]->operands;
  }
  lanes[0]->all(operands);
  for (int l = 0; l < 32; ++l)
    lanes[l]->state = State::Ready;
  return true;
}

void runBlock(const std::vector<int> &warps) {
  const int n = machine.grid.threads;
  for (Thread *thread : machine.block) {
    thread->state = State::Ready;
    std::vector<PendingCopy>().swap(thread->copies);
    thread->group = 0;
    thread->warpTurns = thread->blockTurns = 0;
    thread->fiber.start(runThread);
    machine.launcher.precedes(thread->fiber);
  }
  while (!machine.error && count(0, n, State::Done) < n) {
    bool progress = false;
    for (const int w : warps)
      while (runLanes(w * 32) || (!machine.error && releaseWarp(w * 32)))
        progress = true;
    if (!machine.error && count(0, n, State::AtBlock) == n) {
      machine.anySaid = std::exchange(machine.anySays, false);
      for (Thread *thread : machine.block)
        thread->state = State::Ready;
    } else if (!progress && !machine.error) {
      machine.error = count(0, n, State::AtWarp) ? "an operation of a warp that some lanes never reach"
                                                 : "a barrier that some threads never reach";
    }
  }
}

} // namespace

Thread &running() { return *machine.block[size_t(machine.current)]; }
size_t sharedBytes() { return machine.grid.sharedBytes; }
int threadIndex() { return machine.current; }
int blockIndex(int axis) { return machine.at[axis]; }
int blocks(int axis) { return axis == 0 ? machine.grid.x : axis == 1 ? machine.grid.y : machine.grid.z; }
unsigned char *sharedMemory() { return machine.shared; }

void awaitLaunchBefore() { ++machine.awaited; }
int64_t threadsThatAwaited() { return machine.awaited; }
void bringToL2(const unsigned char *sector) {
  [[maybe_unused]] const unsigned char byte = *static_cast<const volatile unsigned char *>(sector);
  ++machine.brought;
}
int64_t sectorsBrought() { return machine.brought; }

void syncBlock() {
  char *const barrier = &machine.barriers[running().blockTurns++ % 2];
  release(barrier);
  suspend(State::AtBlock);
  acquire(barrier);
}
bool syncBlockAny(bool says) {
  machine.anySays = machine.anySays || says;
  syncBlock();
  return machine.anySaid;
}
void meetWarp(const char *operation, void *operands, void (*all)(void *const *lanes)) {
  Thread &thread = running();
  thread.operation = operation;
  thread.operands = operands;
  thread.all = all;
  char *const meeting = &machine.block[size_t(machine.current / 32 * 32)]->meetings[thread.warpTurns++ % 2];
  release(meeting);
  suspend(State::AtWarp);
  acquire(meeting);
}
void noteRead([[maybe_unused]] const void *from, [[maybe_unused]] size_t bytes) {
#if defined(EMULATION_TSAN)
  __tsan_read_range(const_cast<void *>(from), bytes);
#endif
}
void noteWrite([[maybe_unused]] void *to, [[maybe_unused]] size_t bytes) {
#if defined(EMULATION_TSAN)
  __tsan_write_range(to, bytes);
#endif
}
void fail(const char *text) {
  if (!machine.error)
    machine.error = text;
  suspend(State::Done);
  abort();
}

std::string launchBody(const Grid &grid, void (*body)(void *), void *argument) {
  machine.grid = grid;
  machine.body = body;
  machine.argument = argument;
  machine.error = nullptr;
  machine.awaited = 0;
  while (int(machine.threads.size()) < grid.threads)
    machine.threads.push_back(std::make_unique<Thread>());
  machine.block.clear();
  for (int t = 0; t < grid.threads; ++t)
    machine.block.push_back(machine.threads[size_t(t)].get());

  std::vector<int> order(size_t(grid.x) * size_t(grid.y) * size_t(grid.z)), warps(size_t(grid.threads / 32));
  for (std::vector<int> *numbers : {&order, &warps}) {
    std::iota(numbers->begin(), numbers->end(), 0);
    std::mt19937 random(7);
    if (grid.order == Order::Backward)
      std::reverse(numbers->begin(), numbers->end());
    else if (grid.order == Order::Shuffled)
      std::shuffle(numbers->begin(), numbers->end(), random);
  }
  machine.scheduler.adopt();
  machine.scheduler.precedes(machine.launcher);
  for (const int number : order) {
    machine.at[0] = number % grid.x;
    machine.at[1] = number / grid.x % grid.y;
    machine.at[2] = number / grid.x / grid.y;
    // An allocation of the exact size, so that ASan sees what lies past it; NaN, so that nothing reads it unwritten.
    void *shared = nullptr;
    {
      const Fiber::Acts acts(machine.launcher);
      if (posix_memalign(&shared, 128, grid.sharedBytes) != 0)
        abort();
      std::memset(shared, 0xff, grid.sharedBytes);
    }
    machine.shared = static_cast<unsigned char *>(shared);
    runBlock(warps);
    for (Thread *thread : machine.block)
      thread->fiber.precedes(machine.scheduler);
    std::free(shared);
    if (machine.error)
      break;
  }
  if (machine.error)
    machine.threads.clear(); // their stacks are left in the middle
  return machine.error ? machine.error : "";
}

} // namespace sinter::cuda::emulation
