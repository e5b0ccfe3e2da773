// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place where blocks of a grid know of each other: several blocks leave their parts in memory, and the last of
// them goes on with all. None waits for another, so they may run in any order, and not all at a time. This is the code
// whose order of memory no emulation checks: it stays small.
#pragma once

#include "templates/cuda/device_memory.h"

namespace sinter::cuda {
namespace {

/// Called by all threads of each of `blocks` blocks, after they wrote their parts: true in the block that is last,
/// which then sees what all wrote, by loadOthers. `counter` is 0 before and after. Uses the first word of shared
/// memory.
SINTER_DEVICE bool isLastBlock(uint32_t *counter, int blocks) {
#if SINTER_ON_DEVICE
  asm volatile("membar.gl;" ::: "memory"); // this thread's part, before the count
#endif
  syncBlock();
  uint32_t *const shared = sharedMemoryAs<uint32_t>();
  if (threadIndex() == 0) {
    uint32_t before;
#if SINTER_ON_DEVICE
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
#else
    before = emulation::countUp(counter);
#endif
    *shared = before;
    if (before == uint32_t(blocks) - 1)
      *counter = 0; // for the next launch
  }
  syncBlock();
  const bool isLast = *shared == uint32_t(blocks) - 1;
#if SINTER_ON_DEVICE
  asm volatile("membar.gl;" ::: "memory"); // the count, before others' parts
#endif
  return isLast;
}

/// What another block wrote: past the first-level cache, which may hold what was there before.
template <class T>
SINTER_DEVICE T loadOthers(const T *from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if SINTER_ON_DEVICE
  if constexpr (sizeof(T) == 8) {
    uint64_t words;
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(words) : "l"(from) : "memory");
    return bitCast<T>(words);
  } else {
    uint32_t word;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
    return bitCast<T>(word);
  }
#else
  return *from;
#endif
}

} // namespace
} // namespace sinter::cuda
