// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which convolutions Winograd computes, on plain numbers.
#include "passes/packing/support/winograd_choice.h"

#include "llvm/ADT/StringRef.h"
#include <doctest/doctest.h>

using namespace sinter;

namespace {

std::vector<bool> taken(
    const std::vector<WinogradCandidate> &candidates, Fit fit, int64_t weightBytes,
    llvm::function_ref<bool(size_t)> leavesPeak = [](size_t) { return true; }) {
  std::vector<bool> result;
  for (const WinogradChoice &choice : chooseWinograd(candidates, fit, weightBytes, leavesPeak)) {
    CHECK(llvm::StringRef(choice.reason).starts_with(choice.isTaken ? "Winograd: about" : "no Winograd"));
    result.push_back(choice.isTaken);
  }
  return result;
}

using Choices = std::vector<bool>;

} // namespace

TEST_CASE("for speed, wherever there are fewer instructions") {
  CHECK(taken({{1000, 600, 5000}, {1000, 1000, 0}, {1000, 1001, 0}}, Fit::Speed, 0) == Choices{true, false, false});
  CHECK(taken({{1000, 600, 5000}}, Fit::Speed, 0, [](size_t) { return false; }) == Choices{true});
}

TEST_CASE("else weights grow by no more than a half, for what saves most by the byte") {
  const std::vector<WinogradCandidate> three = {{1000, 900, 100}, {1000, 500, 100}, {1000, 700, 100}};
  CHECK(taken(three, Fit::Balanced, 600) == Choices{true, true, true});
  CHECK(taken(three, Fit::Balanced, 599) == Choices{false, true, true});
  CHECK(taken(three, Fit::Balanced, 200) == Choices{false, true, false});
  CHECK(taken(three, Fit::Ram, 199) == Choices{false, false, false});
  // What is too large leaves room for others.
  CHECK(taken({{9000, 0, 300}, {1000, 900, 100}}, Fit::Balanced, 200) == Choices{false, true});
}

TEST_CASE("and the arena's peak stays") {
  std::vector<size_t> asked;
  CHECK(taken({{1000, 2000, 1}, {1000, 500, 100}, {1000, 500, 100}}, Fit::Balanced, 1000, [&](size_t i) {
          asked.push_back(i);
          return i == 2;
        }) == Choices{false, false, true});
  CHECK(asked == std::vector<size_t>{1, 2}); // not of what would not be faster: the answer costs time
}
