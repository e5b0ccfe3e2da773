// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/report/node_names.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include <doctest/doctest.h>

using namespace mlir;

TEST_CASE("names of fused nodes in order, each once, each one line") {
  MLIRContext context;
  auto named = [&](StringRef name) { return Location(NameLoc::get(StringAttr::get(&context, name))); };
  Location inner = FusedLoc::get(&context, {named("conv"), named("bn\nfolded")});
  CHECK(sinter::nodeNames(FusedLoc::get(&context, {inner, named("relu"), named("conv")})) == "conv\nbn folded\nrelu");
  CHECK(sinter::nodeNames(CallSiteLoc::get(named("body"), named("caller"))) == "body");
  CHECK(sinter::nodeNames(UnknownLoc::get(&context)) == "");
  // Notes about values stand inside of a name and are none (ir/value_names.h).
  CHECK(sinter::nodeNames(NameLoc::get(StringAttr::get(&context, "conv"), named("=0:0:d0:y"))) == "conv");
}
