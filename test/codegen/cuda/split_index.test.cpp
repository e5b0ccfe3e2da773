// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is split into the indices that it stands for, row by row.
#include "codegen/cuda/split_index.h"

#include "codegen/text/names.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("sizes that are known, and one that is not") {
  Names names;
  const Identifier item = names.make("item"), i = names.make("i"), j = names.make("j"), k = names.make("k"),
                   n = names.make("n");
  Printer out;
  printSplitIndex(out, item, {{i, SizeExpr(7)}, {j, SizeExpr(n)}, {k, SizeExpr(3)}});
  CHECK(out.text() ==
        "const int64_t i = item / (3 * n);\nconst int64_t j = item / 3 % (n);\nconst int64_t k = item % 3;\n");
  Printer one;
  printSplitIndex(one, item, {{i, SizeExpr(n)}});
  CHECK(one.text() == "const int64_t i = item;\n");
}
