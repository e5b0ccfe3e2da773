// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unit tests' main, built once per instruction set. What the machine lacks is found by needs.cpp.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
