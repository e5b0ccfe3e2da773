// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log_softmax.h: against double.
#include "runtime-lite/generation/log_softmax.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinter;

TEST_CASE("log_softmax: as double has it, -inf stays") {
  float logits[] = {3.5f, -1.25f, 0.5f, -HUGE_VALF, 3.0f};
  double total = 0;
  for (const float x : logits)
    total += std::exp(double(x));
  const double expected = -1.25 - std::log(total);
  logSoftmax(logits, 5, 3.5f);
  CHECK(std::fabs(double(logits[1]) - expected) < 1e-6);
  CHECK(logits[3] == -HUGE_VALF);
}
