// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stopping.h: ids of eos in a prompt do not end a text; limits count as they say.
#include "runtime-lite/generation/stopping.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("stopping: ids and lengths") {
  const int32_t text[] = {2, 9, 2, 5}, eos[] = {5, 2};
  CHECK(stopOf({text, 1}, 1, {eos, 2}, 0, 0) == Stop::no);
  CHECK(stopOf({text, 2}, 1, {eos, 2}, 0, 0) == Stop::no);
  CHECK(stopOf({text, 3}, 1, {eos, 2}, 0, 0) == Stop::token);
  CHECK(stopOf({text, 4}, 1, {eos, 1}, 0, 0) == Stop::token);
  CHECK(stopOf({text, 3}, 1, {}, 3, 0) == Stop::length);
  CHECK(stopOf({text, 3}, 1, {}, 4, 3) == Stop::no);
  CHECK(stopOf({text, 4}, 1, {}, 9, 3) == Stop::length);
}
