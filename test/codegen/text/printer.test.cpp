// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/text/printer.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("blocks indent and close themselves, directives stand at the margin") {
  Printer out;
  {
    Printer::Block function = out.block("void f()");
    out.line("#pragma once");
    out.comment("why: ", Comment("a*/"));
    {
      Printer::Block table = out.blockEnding("};", "const int t[] =");
      out.line(1, ", ", 2);
    }
    out.lines("a;\n\nb;");
  }
  out.blank();
  CHECK(out.text() == "void f() {\n"
                      "#pragma once\n"
                      "  // why: a* /\n"
                      "  const int t[] = {\n"
                      "    1, 2\n"
                      "  };\n"
                      "  a;\n"
                      "\n"
                      "  b;\n"
                      "}\n"
                      "\n");
}

TEST_CASE("a block that is closed early is closed once") {
  Printer out;
  Printer::Block block = out.block("if (x)");
  block.close();
  block.close();
  out.line("y;");
  CHECK(out.text() == "if (x) {\n}\ny;\n");
}
