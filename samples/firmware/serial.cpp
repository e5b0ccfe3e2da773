// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A net on your board that `sinter verify --runner` and `sinter bench --runner` ask over a serial line: whether its
// results are right, and how many cycles each kernel takes. Of the board it takes a UART and some RAM: Port is for
// QEMU's MPS2 boards (CMSDK UART); put your own there, 8 data bits, no parity. SINTER_PREFIX is the net's.
#define SINTER_PREFIX digits
#include "digits.h"

#include "clocks.h"
#include "serial.h"

namespace {
/// How bytes come and go; both wait.
struct Port {
  static void begin() {
    reg(0x10) = 16; // divides the clock
    reg(0x08) = 3;  // both directions on
  }
  static uint8_t get() {
    while ((reg(0x04) & 2) == 0) {
    }
    return static_cast<uint8_t>(reg(0x00));
  }
  static void put(uint8_t byte) {
    while ((reg(0x04) & 1) != 0) {
    }
    reg(0x00) = byte;
  }

private:
  static volatile uint32_t &reg(uintptr_t offset) {
    return *reinterpret_cast<volatile uint32_t *>(0x40004000 + offset);
  }
};

// Arena, inputs and outputs.
alignas(DIGITS_ARENA_ALIGN) char memory[DIGITS_ARENA_BYTES + 16384];
} // namespace

/// Interrupts of SysTick, where the cycle counter is missing.
extern "C" void tick() { SysTick::wrapped(); }

void fail(const char *what) {
  refuseRequest<Port>(what);
  for (;;) { // until it is reset
  }
}

int main() {
  Port::begin();
  for (;;)
    serveOne<Port, BestClock>({memory, memory + sizeof memory});
}
