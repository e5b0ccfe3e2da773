// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/progress.h"

#include <doctest/doctest.h>

using sinter::Progress;

TEST_CASE("what is done, how far, and what is left") {
  CHECK(Progress::textOf("compiling net", 0, 0, 1) == "compiling net");
  CHECK(Progress::textOf("compiling net", 0, 0, 12) == "compiling net, 12 s so far");
  CHECK(Progress::textOf("running", 0, 100, 0.5) == "running: 0 of 100");
  CHECK(Progress::textOf("running", 25, 100, 10) == "running: 25 of 100, 30 s left");
  CHECK(Progress::textOf("running", 1, 100, 10) == "running: 1 of 100, 17 min left");
}
