// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/json_depth.h"

#include <doctest/doctest.h>

using sinter::isJsonDeeperThan;

TEST_CASE("brackets count as deep as they are open") {
  CHECK(!isJsonDeeperThan("", 0));
  CHECK(!isJsonDeeperThan(R"([[1], {"a": [2]}])", 3));
  CHECK(isJsonDeeperThan(R"([[1], {"a": [2]}])", 2));
  CHECK(isJsonDeeperThan(std::string(100, '['), 99));
  CHECK(!isJsonDeeperThan("]]]][", 1));
}

TEST_CASE("brackets in strings do not") {
  CHECK(!isJsonDeeperThan(R"(["[[[[", "\"[[[", "\\"])", 1));
  CHECK(isJsonDeeperThan(R"(["\\", [[]]])", 2));
  CHECK(!isJsonDeeperThan(R"(["open [[[)", 1));
}
