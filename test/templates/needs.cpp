// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether this machine has the instruction set SINTER_TEST_NEEDS; tests for others are compiled and not run.
int main() {
  __builtin_cpu_init();
  return __builtin_cpu_supports(SINTER_TEST_NEEDS) ? 0 : 1;
}
