// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files, text and the end of a program by way of a debugger or an emulator: Arm's semihosting, as on any Cortex-M, and
// RISC-V's, which is the same by another instruction. For QEMU: -semihosting-config enable=on,target=native.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace semihosting {

#if defined(__riscv)
// Three instructions of four bytes within 16 are what debuggers look for.
inline intptr_t call(int operation, const void *argument) {
  register intptr_t a0 __asm__("a0") = operation;
  register const void *a1 __asm__("a1") = argument;
  __asm__ volatile(
      ".balign 16\n\t.option push\n\t.option norvc\n\tslli zero, zero, 0x1f\n\tebreak\n\tsrai zero, zero, 7"
      "\n\t.option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return a0;
}
#else
inline intptr_t call(int operation, const void *argument) {
  register intptr_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
#endif

/// Ends the program with this exit status.
[[noreturn]] inline void end(int status) {
  const uintptr_t arguments[] = {0x20026, static_cast<uintptr_t>(status)}; // "the application ended"
  call(0x20, arguments);
  for (;;) {
  }
}

/// A file of the machine that the debugger or emulator runs on.
class File {
public:
  enum Mode { Read = 1, Write = 5 };
  File(const char *path, Mode mode) {
    const uintptr_t arguments[] = {reinterpret_cast<uintptr_t>(path), mode, strlen(path)};
    handle = call(0x01, arguments);
  }
  bool isOpen() const { return handle >= 0; }
  /// Whether all bytes came.
  bool read(void *to, size_t bytes) const {
    const uintptr_t arguments[] = {static_cast<uintptr_t>(handle), reinterpret_cast<uintptr_t>(to), bytes};
    return bytes == 0 || call(0x06, arguments) == 0;
  }
  bool write(const void *from, size_t bytes) const {
    const uintptr_t arguments[] = {static_cast<uintptr_t>(handle), reinterpret_cast<uintptr_t>(from), bytes};
    return bytes == 0 || call(0x05, arguments) == 0;
  }
  void close() {
    const uintptr_t arguments[] = {static_cast<uintptr_t>(handle)};
    call(0x02, arguments);
  }

private:
  intptr_t handle;
};

/// Text on the debugger's or emulator's standard output.
inline void print(const char *text) {
  const File console(":tt", File::Write);
  console.write(text, strlen(text));
}

/// The words that the program was started with, separated by blanks; false where there are none or too many.
inline bool commandLine(char *buffer, size_t size) {
  const uintptr_t arguments[] = {reinterpret_cast<uintptr_t>(buffer), size};
  return call(0x15, arguments) == 0;
}

} // namespace semihosting
