// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unit tests' main, built once per instruction set; exits 77 (skipped) on a machine that lacks it.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

int main(int argc, char **argv) {
#ifdef SINTER_TEST_NEEDS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports(SINTER_TEST_NEEDS)) {
    std::puts("skipped: this machine lacks " SINTER_TEST_NEEDS);
    return 77;
  }
#endif
  return doctest::Context(argc, argv).run();
}
