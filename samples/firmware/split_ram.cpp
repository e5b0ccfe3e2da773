// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The net that hears words with its arena in two memories (--ram): what it reads and writes most lies in the fast one.
// On the MPS2 boards .bss is the core's SRAM and .slow the board's PSRAM, as the linker script says.
#include "semihosting.h"
#include "words.h"

alignas(KWS_ARENA_ALIGN) static unsigned char fast[KWS_ARENA_FAST_BYTES];
alignas(KWS_ARENA_ALIGN) [[gnu::section(".slow")]] static unsigned char slow[KWS_ARENA_SLOW_BYTES];

int main() {
  const kws_ram ram = {fast, slow};
  const char *word = hear(&ram);
  if (!word)
    return 1;
  semihosting::print("split: ");
  semihosting::print(word);
  semihosting::print("\n");
  return 0;
}
