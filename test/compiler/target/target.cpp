// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of targets, features added and taken away, and messages when there is none.
#include "target/board.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("every embedded description reads and names itself") {
  std::string problem;
  for (const std::string &name : targetNames()) {
    std::optional<Target> target = findTarget(name, problem);
    REQUIRE_MESSAGE(target.has_value(), problem);
    CHECK(target->name == name);
    CHECK(!target->triple.empty());
    CHECK(!target->compilers.empty());
    CHECK(target->vectorBytes >= (target->isMicrocontroller() ? 4 : 16));
    CHECK((target->isMicrocontroller() ? target->l2Kbytes == 0 : target->l2Kbytes >= 128));
    CHECK(target->bytesPerCycle >= 1);
    CHECK(!target->compilerFlags().empty());
  }
}

TEST_CASE("a base is inherited") {
  std::string problem;
  std::optional<Target> v4 = findTarget("x86-64-v4", problem);
  REQUIRE(v4.has_value());
  CHECK(v4->triple == "x86_64-linux-gnu");
  CHECK(std::count(v4->macros.begin(), v4->macros.end(), "__AVX2__") == 1);
  CHECK(v4->vectorBytes == 64);
}

TEST_CASE("features") {
  std::string problem;
  std::optional<Target> target = findTarget("x86-64-v4+amx-int8+vnni", problem);
  REQUIRE_MESSAGE(target.has_value(), problem);
  CHECK(target->name == "x86-64-v4+vnni+amx-int8");
  CHECK(target->has("amx-int8"));
  std::vector<std::string> flags = target->compilerFlags();
  CHECK(std::count(flags.begin(), flags.end(), "-mamx-tile") == 1);

  CHECK(findTarget("x86-64-v4+vnni-vnni", problem)->name == "x86-64-v4");
  CHECK(findTarget("aarch64+dotprod+i8mm", problem)->compilerFlags().front() == "-march=armv8.2-a+dotprod+i8mm");
  CHECK(findTarget("cortex-a76+i8mm", problem)->compilerFlags().front() == "-mcpu=cortex-a76+i8mm");

  CHECK(!findTarget("x86-64-v4+neon", problem));
  CHECK(problem == "target x86-64-v4 has no feature 'neon'; it has vnni, bf16, fp16, amx-int8, amx-bf16");
  CHECK(!findTarget("pdp11", problem));
  CHECK(problem.rfind("no target 'pdp11'; there are host, aarch64, ", 0) == 0);
}

TEST_CASE("microcontrollers") {
  std::string problem;
  std::optional<Target> hard = findTarget("cortex-m4", problem), soft = findTarget("cortex-m4-fp", problem);
  REQUIRE_MESSAGE(hard.has_value(), problem);
  REQUIRE_MESSAGE(soft.has_value(), problem);
  CHECK(hard->name == "cortex-m4");
  CHECK(soft->name == "cortex-m4-fp");
  CHECK(hard->compilerFlags().back() == "-mfloat-abi=hard");
  CHECK(soft->compilerFlags().back() == "-mfloat-abi=soft");
  CHECK(hard->hasFpu());
  CHECK(!soft->hasFpu());
  CHECK(findTarget("cortex-m55", problem)->hasFpu());
  CHECK(!runsOnHost(*findTarget("cortex-m0plus", problem)));
  CHECK(!findTarget("x86-64-v2", problem)->isMicrocontroller());
}

TEST_CASE("boards") {
  std::string problem;
  for (const std::string &name : targetNames()) {
    Target target = *findTarget(name, problem);
    for (const std::string &board : target.boards)
      CHECK_MESSAGE(findBoard(target, board, problem).has_value(), board);
  }
  Target target = *findTarget("cortex-m0plus", problem);
  CHECK(findBoard(target, "", problem)->name == "mps2-an385");
  CHECK(findBoard(target, "microbit", problem)->instructionsPerTick() == 62.5);
  CHECK(!findBoard(target, "mps2-an500", problem));
  CHECK(problem == "target cortex-m0plus does not run on a board 'mps2-an500'; it runs on mps2-an385, microbit");
  CHECK(!findBoard(*findTarget("aarch64", problem), "microbit", problem));
  CHECK(problem == "target aarch64 does not run on a board 'microbit'; it needs none");
}

TEST_CASE("this machine") {
  Target host = hostTarget();
  CHECK(runsOnHost(host));
  std::string problem;
  std::optional<Target> again = findTarget(host.name, problem);
  REQUIRE_MESSAGE(again.has_value(), problem);
  CHECK(again->compilerFlags() == host.compilerFlags());
}

TEST_CASE("which integer kernels a target takes") {
  std::string problem;
  const std::pair<const char *, const char *> expected[] = {
      {"x86-64-v2", "plain"}, {"x86-64-v3", "avx2"},          {"x86-64-v3+vnni", "avxvnni"},
      {"x86-64-v4", "avx2"},  {"x86-64-v4+vnni", "vnni"},     {"x86-64-v4+vnni-vnni", "avx2"},
      {"aarch64", "neon"},    {"aarch64+dotprod", "dotprod"}, {"aarch64+i8mm+dotprod", "i8mm"},
      {"cortex-a53", "neon"}, {"cortex-a76", "dotprod"},      {"armv7", "plain"}};
  for (const auto &pair : expected) {
    std::optional<Target> target = findTarget(pair.first, problem);
    REQUIRE_MESSAGE(target.has_value(), problem);
    CHECK_MESSAGE(target->intKernels == pair.second, pair.first);
  }
}
