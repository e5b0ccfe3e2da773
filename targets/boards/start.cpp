// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs before main on a Cortex-M: vector table, memory, FPU; and what a fault does. The same for all boards, whose
// addresses come from the linker script (image.ld). main's result ends the emulator. RISC-V: start_riscv.h.
#if defined(__riscv)
#include "start_riscv.h"
#else
#include "semihosting.h"

#include <stdint.h>
#include <string.h>

extern "C" {
int image() __asm__("main"); // C++ lets nobody call main by its name
extern char data_start[], data_end[], data_load[], bss_start[], bss_end[], stack_top[], flash_end[];
[[noreturn]] void reset();
[[noreturn]] void fault();
void tick();
void ignore() {}
}
/// SysTick's handler, for programs that have one.
[[gnu::weak, gnu::alias("ignore")]] void tick();

namespace {
#if __ARM_ARCH < 8
/// The emulator gives zeros where a board has nothing. The memory protection unit (Armv7-M Architecture Reference
/// Manual, B3.5) makes 4 MB behind the flash an error, as they are on a chip; a Cortex-M0 has none.
void guardFlash() {
  auto *const unit = reinterpret_cast<volatile uint32_t *>(0xE000ED90); // type, control, number, base, size
  constexpr uint32_t fourMegabytes = 21u << 1, enable = 1, keepTheRest = 4;
  if (unit[0] >> 8 == 0)
    return;
  unit[2] = 0;
  unit[3] = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(flash_end));
  unit[4] = fourMegabytes | enable; // no access
  unit[1] = keepTheRest | enable;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
}
#endif

// Not inline: before the FPU is on, no instruction of the caller may belong to it.
[[noreturn, gnu::noinline]] void start() {
  memcpy(data_start, data_load, static_cast<size_t>(data_end - data_start));
  memset(bss_start, 0, static_cast<size_t>(bss_end - bss_start));
  semihosting::end(image());
}

using Handler = void (*)();
struct VectorTable {
  const char *stack;
  Handler handlers[15];
};
[[gnu::section(".vectors"), gnu::used]] const VectorTable vectors = {
    stack_top,
    {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, tick}};
} // namespace

void reset() {
#ifdef __ARM_FP
  auto *const coprocessorAccess = reinterpret_cast<volatile uint32_t *>(0xE000ED88);
  *coprocessorAccess = *coprocessorAccess | 0xF00000;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
#if __ARM_ARCH_ISA_THUMB == 1
  // Code for version 6-M may run on a later core; there too an address that is not aligned is an error.
  auto *const configuration = reinterpret_cast<volatile uint32_t *>(0xE000ED14);
  *configuration = *configuration | 1u << 3;
#endif
#if __ARM_ARCH < 8
  guardFlash();
#endif
  start();
}

void fault() {
  semihosting::print("fault: the program did what this CPU does not allow\n");
  semihosting::end(70);
}
#endif
