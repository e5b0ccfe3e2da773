// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dim threads share: the first with shares that are alike, else where they are most alike.
#include "codegen/bodies/dim_to_share.h"

#include <doctest/doctest.h>

using namespace sinter;

static std::optional<unsigned> shared(const std::vector<SizeExpr> &sizes, int64_t threads, unsigned fixed = 99) {
  return dimToShare(sizes, threads, [&](unsigned dim) { return dim != fixed; });
}

TEST_CASE("the first dim whose shares are alike") {
  CHECK(shared({1, 12, 64}, 2) == 1u);
  CHECK(shared({7, 64}, 2) == 0u); // four and three
}

TEST_CASE("three rows are no work for two threads, nor any dim that must not be cut") {
  CHECK(shared({1, 3, 197}, 2) == 2u);
  CHECK(shared({1, 3, 197}, 2, 2) == 1u);
  CHECK(shared({64, 4}, 4, 0) == 1u);
}

TEST_CASE("one number is one thread's") {
  CHECK(shared({1, 1}, 4) == std::nullopt);
  CHECK(shared({}, 4) == std::nullopt);
  CHECK(shared({0, 0}, 4) == std::nullopt);
}
