// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function that every unit-test program shares.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
