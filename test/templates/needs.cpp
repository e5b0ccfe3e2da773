// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exits 77 (skipped) on a machine that lacks the instruction set SINTER_TEST_NEEDS. Before every other constructor,
// since those that register tests are built for that instruction set; so this source is not.
#include <cstdio>
#include <cstdlib>

__attribute__((constructor(101))) static void checkMachine() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports(SINTER_TEST_NEEDS))
    return;
  std::fputs("skipped: this machine lacks " SINTER_TEST_NEEDS "\n", stderr);
  std::_Exit(77);
}
