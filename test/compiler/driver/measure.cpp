// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/measure.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("the stack's bound is the frames around kernels and the deepest kernel's") {
  // As GCC writes names.
  CHECK(stackBound("kws.cpp:10:5:int sinter::{anonymous}::run(const kws_inputs&)\t64\tstatic\n"
                   "kws.cpp:20:6:void sinter::{anonymous}::k0_conv(const float*)\t100\tstatic\n"
                   "kws.cpp:21:9:sinter::{anonymous}::k0_conv(const float*)::<lambda(auto:1)>\t20\tstatic\n"
                   "kws.cpp:30:6:void sinter::{anonymous}::k1_add(const float*)\t110\tstatic\n"
                   "kws.cpp:40:5:int kws_run_with(const kws_inputs*)\t16\tdynamic,bounded\n") == 64 + 16 + 120);
  // As Clang does.
  CHECK(stackBound("kws.cpp:10:_ZN6sinter12_GLOBAL__N_13runERK10kws_inputs\t8\tstatic\n"
                   "kws.cpp:20:_ZN6sinter12_GLOBAL__N_17k0_convEPKf\t32\tstatic\n"
                   "kws.cpp:30:_ZN6sinter12_GLOBAL__N_16k1_addEPKf\t16\tstatic\n") == 40);
  CHECK(stackBound("") == 0);
  CHECK(!stackBound("kws.cpp:1:1:void f()\t16\tdynamic\n"));
}

TEST_CASE("a module of WebAssembly has code and data; one that is cut short ends where it is cut") {
  const char module[] = "\0asm\1\0\0\0" // the header
                        "\1\2ab"        // types
                        "\12\3abc"      // code
                        "\13\202\0xy";  // data, its size in two bytes
  llvm::StringRef whole(module, sizeof module - 1);
  Sections sections = sectionsOf(whole);
  CHECK(sections.code == 3);
  CHECK(sections.constants == 2);
  CHECK(sections.data == 0);
  CHECK(sections.zeros == 0);
  for (size_t bytes = 0; bytes < whole.size(); ++bytes)
    CHECK(sectionsOf(whole.take_front(bytes)).code <= 3);
}
