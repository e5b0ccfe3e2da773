// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/text/width.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("what fits stays as it is, and so do directives") {
  CHECK(withinWidth("int a;\n\n#define A a long directive\n", 12) == "int a;\n\n#define A a long directive\n");
}

TEST_CASE("code is broken behind a comma, or an operator") {
  CHECK(withinWidth("  f(first, second, third);\n", 20) == "  f(first, second,\n      third);\n");
  CHECK(withinWidth("const int name = other;\n", 20) == "const int name =\n    other;\n");
}

TEST_CASE("a comment behind code goes in front of it, a long one is broken between words") {
  CHECK(withinWidth("  f(a); // called for c\n", 20) == "  // called for c\n  f(a);\n");
  CHECK(withinWidth("// one two three four\n", 16) == "// one two three\n// four\n");
  CHECK(withinWidth("  int *a; /* one two three */\n", 20) == "  int *a;\n      /* one two\n       * three */\n");
}

TEST_CASE("literals are two, not broken in an escape, and what is in them is no place to break code") {
  CHECK(withinWidth("f(\"a, b, c, d, e, f, g\");\n", 16) == "f(\"a, b, c, d, \"\n    \"e, f, g\");\n");
  const std::string broken = withinWidth("x = \"aaaaaaaaaa\\012bbbbbbbbbb\";\n", 20);
  CHECK(broken.find("\\012") != std::string::npos);
  CHECK(withinWidth("f(\"// no comment, a, b\");\n", 40) == "f(\"// no comment, a, b\");\n");
}

TEST_CASE("contents name sections and kernels by the lines where they are in the end") {
  const std::string text =
      withContents("// origin\n#if A\n// ======== One ========\nSINTER_NOINLINE void k0_a(int b) {\n}\n"
                   "SINTER_NOINLINE void helper() {\n}\n");
  CHECK(text ==
        "// origin\n//\n// Contents, by line:\n//      7  One\n//      8    k0_a\n#if A\n// ======== One ========\n"
        "SINTER_NOINLINE void k0_a(int b) {\n}\nSINTER_NOINLINE void helper() {\n}\n");
}
