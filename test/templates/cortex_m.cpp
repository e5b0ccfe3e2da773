// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on dual 16-bit multiply-adds as a Cortex-M runs them, in its own instructions: dual_cases.h on an emulated
// board (cortex_m.test builds and runs it). Ends with the number of cases that are wrong, and names them.
#include "dual_cases.h"
#include "semihosting.h"

int main() {
  int wrong = 0, cases = 0;
  const auto visit = [&](const char *name, sinter::test::Outcome outcome, int64_t) {
    ++cases;
    if (outcome.wrong == 0)
      return;
    ++wrong;
    semihosting::print(name);
    semihosting::print(" is wrong\n");
  };
  sinter::test::dualConvCases(visit);
  sinter::test::dualMatmulCases(visit);
  semihosting::print(cases > 0 && wrong == 0 ? "all cases agree\n" : "");
  return wrong;
}
