// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A net that hears words, on a bare microcontroller: its weights stay in flash, its arena is the array below, nothing
// else is needed. The word goes to the debugger or emulator (semihosting).
#include "semihosting.h"
#include "words.h"

alignas(KWS_ARENA_ALIGN) static unsigned char arena[KWS_ARENA_BYTES];

int main() {
  const char *word = hear(arena);
  if (!word)
    return 1;
  semihosting::print("heard: ");
  semihosting::print(word);
  semihosting::print("\n");
  return 0;
}
