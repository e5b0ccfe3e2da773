// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// start.cpp for RISC-V: what runs before main, in machine mode, and what a fault does. Addresses come from the linker
// script (image.ld), main's result ends the emulator.
#pragma once

#include "semihosting.h"

#include <stdint.h>
#include <string.h>

extern "C" {
int image() __asm__("main"); // C++ lets nobody call main by its name
extern char data_start[], data_end[], data_load[], bss_start[], bss_end[], flash_end[];
[[noreturn]] void start();
[[noreturn, gnu::aligned(4)]] void fault();
}

// The first instruction of an image.
__asm__(".pushsection .vectors,\"ax\",@progbits\n"
        "\t.globl reset\n"
        "reset:\tla sp, stack_top\n"
        "\tj start\n"
        "\t.popsection");

namespace {
/// The emulator has more memory than a chip: physical memory protection makes 4 MB behind the flash an error, in
/// machine mode too (RISC-V Privileged Architecture, 3.7).
void guardFlash() {
  constexpr uint32_t fourMegabytes = (4u << 20) / 8 - 1, noAccess = 0x98; // locked, a power of two from an address on
  const uint32_t address = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(flash_end)) / 4 | fourMegabytes;
  __asm__ volatile(".option push\n\t.option arch, +zicsr\n\tcsrw pmpaddr0, %0\n\tcsrw pmpcfg0, %1\n\t.option pop"
                   :
                   : "r"(address), "r"(noAccess)
                   : "memory");
}
} // namespace

void start() {
  __asm__ volatile(".option push\n\t.option arch, +zicsr\n\tcsrw mtvec, %0\n\t.option pop" : : "r"(fault));
  memcpy(data_start, data_load, static_cast<size_t>(data_end - data_start));
  memset(bss_start, 0, static_cast<size_t>(bss_end - bss_start));
  guardFlash();
  semihosting::end(image());
}

void fault() {
  semihosting::print("fault: the program did what this CPU does not allow\n");
  semihosting::end(70);
}
