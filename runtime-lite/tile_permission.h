// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile registers (AMX of x86) are 8 KB that Linux saves with a thread only where its process has asked for that: who
// uses them without gets a signal. A CPU and a kernel that have them are told by __builtin_cpu_supports, which is to be
// asked first. Source: Documentation/arch/x86/xstate.rst of Linux.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// Whether the process may use them. The kernel is asked once; it refuses where it has none to give, a filter of system
/// calls forbids to ask, or a thread's stack for signals is too small for them.
[[maybe_unused]] static inline bool mayUseTileRegisters() {
#if defined(__linux__) && defined(__x86_64__) && defined(SINTER_IS_GNU)
  constexpr int kAllowed = 1, kRefused = 2;
  static int answer = 0; // threads that ask at the same time get the same one
  int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known == 0) {
    constexpr long kArchPrctl = 158, kRequestPermission = 0x1023, kTileData = 18;
    long status;
    __asm__ volatile("syscall"
                     : "=a"(status)
                     : "0"(kArchPrctl), "D"(kRequestPermission), "S"(kTileData)
                     : "rcx", "r11", "memory");
    known = status == 0 ? kAllowed : kRefused;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  return known == kAllowed;
#else
  return false; // nobody has tried
#endif
}

} // namespace
} // namespace sinter
