// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unit tests' main, built once per instruction set.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
