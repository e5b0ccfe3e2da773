// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks for board_call.h: of a Cortex-M SysTick, which all cores have, and the cycle counter of those from the M3 on;
// of RISC-V the counter of cycles. EmulatedClock is the one that counts instructions on emulated boards.
#pragma once

#include <stdint.h>

#if defined(__riscv)

/// mcycle, of 64 bits, which emulators count instructions by.
struct CycleCounter {
  static void start() {}
  static void stop() {}
  static int64_t now() {
    uint32_t low, high, again;
    do
      __asm__ volatile(".option push\n\t.option arch, +zicsr\n\tcsrr %0, mcycleh\n\tcsrr %1, mcycle\n\tcsrr %2, mcycleh"
                       "\n\t.option pop"
                       : "=r"(high), "=r"(low), "=r"(again));
    while (high != again);
    return static_cast<int64_t>(static_cast<uint64_t>(high) << 32 | low);
  }
};
using EmulatedClock = CycleCounter;
using BestClock = CycleCounter;

#else

/// Counts down through 24 bits at the core's clock; each wrap comes as an interrupt, whose handler calls wrapped().
struct SysTick {
  static void start() {
    unit().reload = last;
    unit().value = 0;
    unit().control = 7; // the core's clock, with interrupts
    while (unit().value == 0) {
    }
  }
  static void stop() { unit().control = 0; }
  static int64_t now() {
    for (;;) {
      const uint32_t before = wraps(), value = unit().value;
      if (before == wraps() && value != 0) // at 0 the interrupt may be yet to come
        return static_cast<int64_t>(before) * (last + 1) + (last - value);
    }
  }
  static void wrapped() { wraps() = wraps() + 1; }

private:
  struct Unit {
    uint32_t control, reload, value, calibration;
  };
  static constexpr uint32_t last = 0xffffff;
  static volatile Unit &unit() { return *reinterpret_cast<volatile Unit *>(0xE000E010); }
  static volatile uint32_t &wraps() {
    static volatile uint32_t count = 0;
    return count;
  }
};

using EmulatedClock = SysTick;

/// DWT->CYCCNT: cycles, by 32 bits; between two looks at it may pass at most one wrap (nine seconds at 480 MHz).
struct CycleCounter {
  static void start() {
    *reg(0xE000EDFC) = *reg(0xE000EDFC) | 1u << 24; // DEMCR: trace on
    *reg(0xE0001004) = 0;
    *reg(0xE0001000) = *reg(0xE0001000) | 1u; // DWT_CTRL: count
    high() = 0;
    before() = 0;
  }
  static void stop() {}
  static int64_t now() {
    const uint32_t low = *reg(0xE0001004);
    high() += low < before() ? 1 : 0;
    before() = low;
    return static_cast<int64_t>(static_cast<uint64_t>(high()) << 32 | low);
  }
  /// Whether this chip has one that runs: an M0 has none, and emulators leave it at zero.
  static bool runs() {
    start();
    const uint32_t first = *reg(0xE0001004);
    for (volatile int i = 0; i < 100; i = i + 1) {
    }
    return *reg(0xE0001004) != first;
  }

private:
  static volatile uint32_t *reg(uintptr_t address) { return reinterpret_cast<volatile uint32_t *>(address); }
  static uint32_t &high() {
    static uint32_t count = 0;
    return count;
  }
  static uint32_t &before() {
    static uint32_t count = 0;
    return count;
  }
};

/// Cycles where the chip counts them, else SysTick's.
struct BestClock {
  static void start() {
    counts() = CycleCounter::runs();
    if (!counts())
      SysTick::start();
  }
  static void stop() {
    if (!counts())
      SysTick::stop();
  }
  static int64_t now() { return counts() ? CycleCounter::now() : SysTick::now(); }

private:
  static bool &counts() {
    static bool yes = false;
    return yes;
  }
};

#endif
