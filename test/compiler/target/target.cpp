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
    const bool isPlain = target->isMicrocontroller() || target->portable;
    CHECK((target->vectorBytes >= 16) == (target->vectorRegisters > 0));
    CHECK((isPlain ? target->l2Kbytes == 0 : target->l2Kbytes >= 128));
    CHECK(target->bytesPerCycle >= 1);
    if (target->portable) // others may leave it to the compilers of their system
      CHECK(target->compilerFlags().empty());
  }
}

TEST_CASE("an operating system is the triple's") {
  std::string problem;
  CHECK(findTarget("aarch64", problem)->objectFormat() == ObjectFormat::Elf);
  CHECK(findTarget("aarch64-android", problem)->objectFormat() == ObjectFormat::Elf);
  CHECK(findTarget("aarch64-ios", problem)->objectFormat() == ObjectFormat::MachO);
  CHECK(findTarget("cortex-m4", problem)->objectFormat() == ObjectFormat::Elf);
  std::optional<Target> windows = findTarget("x86-64-v2-windows", problem);
  CHECK(windows->objectFormat() == ObjectFormat::Coff);
  CHECK(windows->macros == findTarget("x86-64-v2", problem)->macros);
  CHECK(!runsOnHost(*windows));
  CHECK(findTarget("aarch64-ios", problem)->packages.empty());
}
TEST_CASE("a base is inherited") {
  std::string problem;
  std::optional<Target> v4 = findTarget("x86-64-v4", problem);
  REQUIRE(v4.has_value());
  CHECK(v4->triple == "x86_64-linux-gnu");
  CHECK(std::count(v4->macros.begin(), v4->macros.end(), "__AVX2__") == 1);
  CHECK(v4->vectorBytes == 64);
  std::optional<Target> m33 = findTarget("cortex-m33", problem);
  REQUIRE(m33.has_value());
  REQUIRE(m33->costs.has_value());
  CHECK(m33->costs->perMac == findTarget("cortex-m4", problem)->costs->perMac);
  CHECK(!v4->costs.has_value());
}

TEST_CASE("features") {
  std::string problem;
  std::optional<Target> target = findTarget("x86-64-v4+amx-int8+vnni", problem);
  REQUIRE_MESSAGE(target.has_value(), problem);
  CHECK(target->name == "x86-64-v4+vnni+amx-int8");
  CHECK(target->has("amx-int8"));
  CHECK(target->tileRegisters);
  CHECK(target->dotProduct == DotProduct::Vnni);
  target = findTarget("x86-64-v4+vnni+amx-bf16", problem);
  CHECK(!target->tileRegisters);
  CHECK(target->termTiles);
  CHECK(target->usesTileRegisters());
  CHECK(!findTarget("x86-64-v4+bf16", problem)->usesTileRegisters());
  target = findTarget("x86-64-v4+amx-int8+vnni", problem);
  CHECK(findTarget("aarch64+bf16", problem)->bf16Squares);
  CHECK(!findTarget("aarch64+i8mm", problem)->bf16Squares);
  CHECK(!findTarget("x86-64-v4-windows+amx-int8", problem)); // Windows has to be asked for its registers, too
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

TEST_CASE("a description of one's own") {
  std::string problem;
  auto described = [&](const char *text) {
    std::optional<Target> target = findTarget(text, problem);
    return target ? *target : Target();
  };
  Target own = described("{name: my-core, base: cortex-m4, alignment: 4, costs: {mac: 2}}");
  CHECK(own.name == "my-core");
  CHECK(own.alignment == 4);
  CHECK(own.byteKernels == ByteKernels::Dual);
  CHECK(own.costs->perMac == 2);
  CHECK(own.costs->inPairs);
  CHECK(own.fpu);
  CHECK(own.compilerFlags() == findTarget("cortex-m4", problem)->compilerFlags());
  CHECK(described("{base: cortex-m4-fp}").fpu == false);
  CHECK(described("{base: x86-64-v4+vnni, name: mine}").dotProduct == DotProduct::Vnni);
  CHECK(described("{base: x86-64-v3, l2_kbytes: 0}").l2Kbytes == 0);

  const std::pair<const char *, const char *> wrong[] = {
      {"{base: pdp11}", "no target 'pdp11'"},
      {"{name: alone}", "'triple' and 'compilers' are missing"},
      {"{base: cortex-m4, name: 'a\"\\n'}", "'name' is missing, or not made of"},
      {"{base: cortex-m4, macros: ['X\\n#error']}", "is no name of a macro"},
      {"{base: cortex-m4, vector_bytes: 8}", "'vector_bytes' is none of"},
      {"{base: x86-64-v3, vector_registers: 0}", "'vector_registers' does not go with"},
      {"{base: x86-64-v3, fma_by_lane: true}", "'fma_by_lane' does not go with"},
      {"{base: cortex-m4, alignment: 3}", "'alignment' is no power of two"},
      {"{base: cortex-m4, bytes_per_cycle: 0}", "'bytes_per_cycle' is not positive"},
      {"{base: cortex-m4, costs: {mac: 0}}", "'costs' are not positive"},
      {"{base: cortex-m4, byte_kernels: tripled}", "unknown enumerated scalar"},
      {"{base: cortex-m4, colour: red}", "unknown key 'colour'"},
      {"{base: [", "line 1: "},
      {"no_such_file.yaml", "no_such_file.yaml: No such file or directory"}};
  for (const auto &[text, says] : wrong) {
    CHECK(!findTarget(text, problem));
    CHECK_MESSAGE(problem.find(says) != std::string::npos, problem);
  }
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
  CHECK(hard->fpu);
  CHECK(!soft->fpu);
  CHECK(findTarget("cortex-m55", problem)->fpu);
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
  CHECK(findBoard(target, "", problem)->emulator == "qemu-system-arm");
  CHECK(findBoard(*findTarget("rv32imac", problem), "", problem)->emulator == "qemu-system-riscv32");
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

TEST_CASE("which kernels of bytes a target takes") {
  std::string problem;
  const std::pair<const char *, DotProduct> expected[] = {{"x86-64-v2", DotProduct::Pairs},
                                                          {"x86-64-v3", DotProduct::Pairs},
                                                          {"x86-64-v3+vnni", DotProduct::AvxVnni},
                                                          {"x86-64-v4", DotProduct::Pairs},
                                                          {"x86-64-v4+vnni", DotProduct::Vnni},
                                                          {"x86-64-v4+vnni-vnni", DotProduct::Pairs},
                                                          {"aarch64", DotProduct::Neon},
                                                          {"aarch64+dotprod", DotProduct::Dotprod},
                                                          {"aarch64+i8mm+dotprod", DotProduct::I8mm},
                                                          {"cortex-a53", DotProduct::Neon},
                                                          {"cortex-a76", DotProduct::Dotprod},
                                                          {"armv7", DotProduct::Neon},
                                                          {"riscv64", DotProduct::Plain},
                                                          {"riscv64+v", DotProduct::Plain}};
  for (const auto &pair : expected) {
    std::optional<Target> target = findTarget(pair.first, problem);
    REQUIRE_MESSAGE(target.has_value(), problem);
    CHECK(target->byteKernels == ByteKernels::Dot4);
    CHECK_MESSAGE(target->dotProduct == pair.second, pair.first);
  }
}

TEST_CASE("which macros its compilers define") {
  std::string problem;
  const Target m4 = *findTarget("cortex-m4", problem), generic = *findTarget("generic64", problem);
  CHECK(m4.defines("__ARM_FEATURE_DSP") == true);
  CHECK(m4.defines("__ARM_FEATURE_MVE") == false);
  CHECK(m4.defines("__AVX512F__") == false);
  CHECK(m4.defines("__ARM_FP") == std::nullopt);
  CHECK(m4.defines("__GNUC__") == true);
  CHECK(m4.defines("__CUDACC__") == false); // what is marked for compilers of CUDA is not for those of CPUs
  CHECK(m4.defines("__clang__") == std::nullopt);
  CHECK(findTarget("cortex-m55", problem)->defines("__ARM_FEATURE_MVE") == true);
  CHECK(findTarget("x86-64-v3", problem)->defines("__AVX512F__") == false);
  CHECK(findTarget("x86-64-v4", problem)->defines("__AVX512F__") == true);
  CHECK(findTarget("aarch64", problem)->defines("__aarch64__") == true);
  CHECK(findTarget("aarch64+dotprod", problem)->defines("__ARM_FEATURE_DOTPROD") == true);
  // A portable target's programs run on x86 here, of which its sources know nothing.
  CHECK(generic.defines("__SSE2__") == false);
  CHECK(generic.defines("__GNUC__") == std::nullopt);
}

TEST_CASE("a portable target counts on nothing") {
  std::string problem;
  CHECK(!findTarget("{name: mine, base: generic32, macros: [__AVX__]}", problem));
  CHECK(problem.find("'portable' does not go with") != std::string::npos);
}
