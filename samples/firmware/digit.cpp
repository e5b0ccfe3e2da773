// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A net that reads handwritten digits, on a bare microcontroller: its weights stay in flash, its arena is the array
// below, nothing else is needed. What it reads goes to the debugger or emulator (semihosting).
#include "read_digit.h"
#include "semihosting.h"

alignas(DIGITS_ARENA_ALIGN) static unsigned char arena[DIGITS_ARENA_BYTES];

int main() {
  for (const TestDigit &digit : testDigits) {
    const int answer = read(digit, arena);
    const char said[] = {'r', 'e', 'a', 'd', ':', ' ', static_cast<char>(answer < 0 ? '?' : '0' + answer), '\n', 0};
    semihosting::print(said);
    if (answer != digit.label)
      return 1;
  }
  return 0;
}
