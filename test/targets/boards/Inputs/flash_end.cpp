// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the last of eight bytes of weights, or with BEYOND the byte behind them.
extern "C" {
extern const volatile unsigned char flash_end[];
int image() __asm__("main");
}
__asm__(".pushsection .rodata.net_weights,\"a\",%progbits\n\t.balign 8\n\t.byte 1, 2, 3, 4, 5, 6, 7, 8\n\t.popsection");

int image() {
#ifdef BEYOND
  return flash_end[0] != flash_end[-1] ? 1 : 2;
#else
  return flash_end[-1] == 8 ? 0 : 3;
#endif
}
