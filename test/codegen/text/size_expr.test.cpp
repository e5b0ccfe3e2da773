// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/text/size_expr.h"
#include "codegen/text/names.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("polynomials of sizes fold, compare and print in one form") {
  Names names;
  Identifier h = names.make("h"), w = names.make("w");
  CHECK((SizeExpr(2) * SizeExpr(3) + SizeExpr(1)).constant() == 7);
  CHECK((SizeExpr(h) * SizeExpr(w) == SizeExpr(w) * SizeExpr(h)));
  CHECK((SizeExpr(h) - SizeExpr(h)).constant() == 0);
  CHECK((SizeExpr(h) * SizeExpr(64) + SizeExpr(8)).print().text() == "8 + 64 * h");
  CHECK((SizeExpr(h) - SizeExpr(w)).print().text() == "h - w");
  SizeExpr address = SizeExpr(h) * SizeExpr(w) * SizeExpr(4) + SizeExpr(w);
  CHECK(address.coefficient(h)->print().text() == "4 * w");
  CHECK(!(SizeExpr(h) * SizeExpr(h)).coefficient(h));
}
