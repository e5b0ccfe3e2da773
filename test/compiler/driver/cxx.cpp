// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which linker a compiler is asked for.
#include "driver/cxx.h"

#include "llvm/Support/FileSystem.h"
#include <doctest/doctest.h>

using namespace llvm;
using namespace sinter;

TEST_CASE("LLVM's linker is for g++ of this machine too, from a folder where g++ finds it; others have their own") {
  for (const char *program : {"/usr/bin/g++", "/usr/bin/g++-12"}) {
    std::vector<std::string> flags = Cxx{program, {}, {}}.fastLinker();
    if (flags.empty())
      continue; // there is none
    REQUIRE(flags.size() == 2);
    StringRef folder = flags[0];
    REQUIRE(folder.consume_front("-B"));
    CHECK(sys::fs::can_execute(folder + "/ld.lld"));
    CHECK(flags[1] == "-fuse-ld=lld");
  }
  for (const char *program : {"/usr/bin/aarch64-linux-gnu-g++", "/usr/bin/arm-none-eabi-g++", "./iso_cxx.sh"})
    CHECK(Cxx{program, {}, {}}.fastLinker().empty());
}
