// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes as polynomials: which are equal, which quotients are exact, and how large each can be.
#include "ir/dim_bounds.h"

#include "pipeline/dialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <doctest/doctest.h>

using namespace mlir;
using namespace sinter;

namespace {
/// Dims n 1..8, past 0..127, now 1..4, m 0..5, and an index of data; what the body returns is what is looked at.
struct Sizes {
  explicit Sizes(const std::string &body) {
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    std::string types;
    std::string text =
        "func.func @main(%data: index, %wide: i64) {\n"
        "%n = sinter.dim \"n\"[1, 8]\n%past = sinter.dim \"past\"[0, 127]\n%now = sinter.dim \"now\"[1, 4]\n"
        "%m = sinter.dim \"m\"[0, 5]\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c2 = arith.constant 2 : index\n%c64 = arith.constant 64 : index\n" +
        body + "\nreturn\n}\n";
    module = parseSourceString<ModuleOp>(text, &context);
    REQUIRE(module);
    module->walk([&](Operation *op) {
      if (op->hasAttr("look"))
        found.push_back(op->getResult(0));
    });
  }
  Interval range() { return bounds.ofValue(found.back()); }
  DimPolynomial size(size_t i) { return bounds.getAlgebra().of(SizeKey(found[i], -1)); }

  DialectRegistry registry;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<Value> found;
  DimBounds bounds;
};

void checkRange(const std::string &body, int64_t low, int64_t high) {
  CAPTURE(body);
  Interval range = Sizes(body).range();
  CHECK(range.low == low);
  CHECK(range.high == high);
}

const std::string all = "%all = affine.apply affine_map<()[s, t] -> (s + t)>()[%past, %now]\n";
} // namespace

TEST_CASE("a quotient whose divisor is a sum") {
  Sizes sizes(all + "%wide_all = arith.muli %all, %c64 : index\n%rows = arith.muli %wide_all, %n : index\n"
                    "%x = arith.divsi %rows, %all {look} : index\n"
                    "%y = arith.muli %n, %c64 {look} : index");
  CHECK(sizes.size(0) == sizes.size(1));
  CHECK(sizes.range().high == 8 * 64);
}

TEST_CASE("sizes that depend on each other are not at their ends together") {
  checkRange("%nm = arith.muli %n, %past : index\n%x = arith.subi %nm, %past {look} : index", 0, 7 * 127);
  checkRange(all + "%x = arith.subi %all, %past {look} : index", 1, 4);
  checkRange("%half = arith.divsi %past, %c2 : index\n%x = arith.muli %half, %c2 {look} : index", 0, 126);
  checkRange("%rest = arith.remsi %past, %n {look} : index", 0, 7);
  checkRange("%most = arith.maxsi %past, %c64 : index\n%x = arith.subi %most, %past {look} : index", 0, 64);
}

TEST_CASE("a quotient that is not exact, times its divisor") {
  Sizes sizes(all + "%q = arith.divsi %past, %now : index\n%t = tensor.empty(%q, %now) {look} : tensor<?x?xf32>");
  CHECK(sizes.bounds.maxElements(sizes.found[0]) == 127);
}

TEST_CASE("floors") {
  Sizes sizes("%a = affine.apply affine_map<()[s] -> ((s floordiv 2) floordiv 3)>()[%past] {look}\n"
              "%b = affine.apply affine_map<()[s] -> (s floordiv 6)>()[%past] {look}\n"
              "%c = affine.apply affine_map<()[s] -> ((s * 4 + 13) floordiv 4)>()[%past] {look}\n"
              "%d = affine.apply affine_map<()[s] -> (s + 3)>()[%past] {look}\n"
              "%e = affine.apply affine_map<()[s] -> (s ceildiv 2)>()[%past] {look}\n"
              "%f = affine.apply affine_map<()[s] -> ((s + 1) floordiv 2)>()[%past] {look}");
  CHECK(sizes.size(0) == sizes.size(1));
  CHECK(sizes.size(2) == sizes.size(3));
  CHECK(sizes.size(4) == sizes.size(5));
  checkRange("%x = affine.apply affine_map<()[s] -> ((s - 7) floordiv 2)>()[%past] {look}", -4, 60);
}

TEST_CASE("a division that cuts off towards zero") {
  checkRange(
      "%x = arith.constant 7 : index\n%y = arith.subi %past, %x : index\n%z = arith.divsi %y, %c2 {look} : index", -3,
      60);
}

TEST_CASE("what may be 0 divides nothing, unless nothing remains") {
  checkRange("%x = arith.muli %m, %n : index\n%y = arith.divsi %x, %m {look} : index", 1, 8);
  Interval unknown = Sizes("%y = arith.divsi %n, %m {look} : index").range();
  CHECK(!unknown.isBounded());
}

TEST_CASE("a choice between equal sizes") {
  Sizes sizes("%rest = arith.remsi %past, %n {look} : index\n%none = arith.cmpi eq, %rest, %c0 : index\n"
              "%x = arith.select %none, %c0, %rest {look} : index");
  CHECK(sizes.size(0) == sizes.size(1));
}

TEST_CASE("data has no bound, and what may wrap around is no sum") {
  CHECK(!Sizes("%x = arith.addi %data, %n {look} : index").range().isBounded());
  Sizes sizes("%x = arith.addi %data, %c1 : index\n%y = arith.maxsi %x, %data {look} : index\n"
              "%z = arith.addi %data, %c1 {look} : index");
  CHECK(sizes.size(0) != sizes.size(1));
  CHECK(!Sizes("%x = arith.trunci %wide : i64 to i32\n%y = arith.index_cast %x {look} : i32 to index")
             .range()
             .isBounded());
}

TEST_CASE("a least of two of which one is data") {
  Interval least = Sizes("%x = affine.min affine_map<(s, t) -> (s, t)>(%data, %n) {look}").range();
  CHECK(least.high == 8);
  CHECK(least.low == INT64_MIN);
}

namespace {
/// Of past as an f32, %f; the result of the body, %y, is cast back.
Interval ofFloat(const std::string &body) {
  return Sizes(
             "%i = arith.index_cast %past : index to i32\n%f = arith.sitofp %i : i32 to f32\n"
             "%two = arith.constant 2.0 : f32\n%three = arith.constant 3.0 : f32\n%half = arith.constant 0.5 : f32\n" +
             body + "\n%z = arith.fptosi %y {look} : f32 to i64")
      .range();
}
} // namespace

TEST_CASE("sizes computed in floats") {
  struct InFloats {
    std::string body;
    int64_t low, high;
  };
  for (const InFloats &each : std::vector<InFloats>{
           {"%q = arith.divf %f, %three : f32\n%y = math.floor %q : f32", 0, 42},
           {"%q = arith.divf %f, %three : f32\n%y = math.ceil %q : f32", 0, 43},
           {"%y = arith.mulf %f, %half : f32", 0, 63},
           {"%q = arith.subf %f, %three : f32\n%y = math.absf %q : f32", 0, 124},
           {"%y = math.sqrt %f : f32", 0, 11},
       }) {
    CAPTURE(each.body);
    CHECK(ofFloat(each.body).low == each.low);
    CHECK(ofFloat(each.body).high == each.high);
  }
  Sizes equal("%i = arith.index_cast %past : index to i64\n%f = arith.sitofp %i : i64 to f32\n"
              "%three = arith.constant 3.0 : f32\n%q = arith.divf %f, %three : f32\n%floor = math.floor %q : f32\n"
              "%a = arith.fptosi %floor {look} : f32 to i64\n"
              "%c3 = arith.constant 3 : index\n%b = arith.divsi %past, %c3 {look} : index");
  CHECK(equal.size(0) == equal.size(1));
}
