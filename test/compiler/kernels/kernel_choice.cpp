// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of several bids is taken, on plain numbers.
#include "kernels/kernel_choice.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

constexpr std::optional<double> none;

} // namespace

TEST_CASE("without estimates the first that fits is taken") {
  CHECK(bestOf({}) == std::nullopt);
  CHECK(bestOf({{false, none}, {false, none}}) == std::nullopt);
  CHECK(bestOf({{true, none}, {true, none}}) == 0);
  CHECK(bestOf({{false, none}, {true, none}, {true, none}}) == 1);
}

TEST_CASE("a lower estimate beats an earlier place") {
  CHECK(bestOf({{true, 300}, {true, 200}, {true, 250}}) == 1);
  CHECK(bestOf({{true, 200}, {true, 200}}) == 0);
  CHECK(bestOf({{true, 300}, {false, 100}}) == 0); // what does not fit costs nothing
  CHECK(bestOf({{false, 100}, {true, 300}, {true, 299.5}}) == 2);
}

TEST_CASE("what has no estimate goes by its place") {
  CHECK(bestOf({{true, none}, {true, 1}}) == 0);
  CHECK(bestOf({{true, 1000}, {true, none}, {true, 999}}) == 2);
  CHECK(bestOf({{true, 1000}, {true, none}}) == 0);
}
