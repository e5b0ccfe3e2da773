// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader of sinter.requantize, and which epilogues are no more than one.
#include "ir/requantize.h"

#include "pipeline/dialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <doctest/doctest.h>

using namespace mlir;
using namespace sinter;

namespace {
struct Parsed {
  explicit Parsed(const std::string &text) {
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(text, &context);
    REQUIRE(module);
  }
  template <class Op>
  Op first() {
    Op found;
    module->walk([&](Op op) {
      if (!found)
        found = op;
    });
    REQUIRE(found);
    return found;
  }

  DialectRegistry registry;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
};

/// A matmul of bytes whose epilogue on %acc, %b (i32) and %f (f32), one of each per column, ends in %q.
std::string product(const std::string &body, const std::string &map = "(i, j) -> (j)", const std::string &type = "i8") {
  std::string out = "tensor<4x5x" + type + ">";
  return "func.func @main(%x: tensor<4x3xi8>, %w: tensor<3x5xi8>, %bias: tensor<5xi32>, %factor: tensor<5xf32>, %y: " +
         out + ") -> " + out + " {\n %none = arith.constant 0 : i32\n %one = arith.constant 0.25 : f32\n" +
         " %0 = sinter.matmul ins(%x, %w, %bias, %factor : tensor<4x3xi8>, tensor<3x5xi8>, tensor<5xi32>, "
         "tensor<5xf32>) "
         "outs(%y : " +
         out + ") attributes {epilogue_maps = [affine_map<" + map + ">, affine_map<(i, j) -> (j)>]} {\n" +
         "^bb0(%acc: i32, %b: i32, %f: f32):\n" + body + "\n sinter.yield %q : " + type + "\n} -> " + out +
         "\n return %0 : " + out + "\n}\n";
}
std::optional<RequantizedSum> sumOf(const std::string &text) {
  Parsed parsed(text);
  return RequantizedSum::of(parsed.first<MatmulOp>());
}
std::string requantized(const std::string &operands, const std::string &types = "(i32, i32, f32)") {
  return "%q = sinter.requantize " + operands + " zero -5 in [-123, 132] : " + types + " -> i8";
}
} // namespace

TEST_CASE("a literal 0 and 1 are no bias and no factor; letters say who is unsigned") {
  Parsed parsed(
      "func.func @main(%x: i8, %y: f32, %b: f32) -> i8 {\n"
      " %none = arith.constant 0.0 : f32\n %one = arith.constant 1.0 : f32\n"
      " %q = sinter.requantize %x, %y bias(%none, %b) factor(%b, %one) zero 100 in [-100, 155] {signs = \"us\"}"
      " : (i8, f32, f32, f32, f32, f32) -> i8\n return %q : i8\n}");
  auto op = parsed.first<RequantizeOp>();
  Requantize known = *Requantize::of(op);
  REQUIRE(known.terms.size() == 2);
  CHECK(!known.terms[0].bias);
  CHECK(known.terms[0].factor);
  CHECK(known.terms[0].isUnsigned);
  CHECK(known.terms[1].bias);
  CHECK(!known.terms[1].factor);
  CHECK(!known.terms[1].isUnsigned);
  CHECK(!known.addend);
  CHECK(known.zero == 100);
  CHECK(known.low == -100);
  CHECK(known.high == 155);
  CHECK(known.isUnsignedIn(op.getType())); // up to 255
  CHECK(isExtendedUnsigned(op->getBlock()->getArgument(0)));
  CHECK(!isExtendedUnsigned(op->getBlock()->getArgument(1)));
  CHECK(!Requantize::of(op->getBlock()->getArgument(0)));

  OpBuilder b(op);
  auto again = known.write(b, op.getLoc(), op.getType()).getDefiningOp<RequantizeOp>();
  CHECK(again->getAttrs() == op->getAttrs());
  Value sum = known.writeSum(b, op.getLoc());
  CHECK(sum.getDefiningOp<arith::AddFOp>());
  CHECK(known.writeExpanded(b, op.getLoc(), b.getF32Type()).getDefiningOp<arith::MinimumFOp>());
  CHECK(known.writeExpanded(b, op.getLoc(), b.getI32Type()).getDefiningOp<arith::AddIOp>());
}

TEST_CASE("what was rounded becomes an integer with a zero point of its reader's") {
  Parsed parsed("func.func @main(%x: i32, %b: i32, %f: f32) -> f32 {\n"
                " %q = sinter.requantize %x bias(%b) factor(%f) zero 0 in [-100, 155] : (i32, i32, f32) -> f32\n"
                " return %q : f32\n}");
  auto op = parsed.first<RequantizeOp>();
  OpBuilder b(op);
  b.setInsertionPointAfter(op);
  std::optional<Requantize> whole = Requantize::of(wholeOf(b, op.getLoc(), op, 100));
  REQUIRE(whole);
  CHECK(whole->zero == 100);
  CHECK(whole->low == -100);
  Value converted = wholeOf(b, op.getLoc(), op->getBlock()->getArgument(2), 0);
  CHECK(converted.getDefiningOp<arith::FPToSIOp>());
}

TEST_CASE("epilogues that are a requantized sum and nothing else") {
  std::optional<RequantizedSum> sum = sumOf(product(requantized("%acc bias(%b) factor(%f)")));
  REQUIRE(sum);
  CHECK(sum->bias);
  CHECK(sum->factor);
  CHECK(!sum->oneFactor);
  CHECK(sum->zero == -5);
  CHECK(sum->low == -123);
  CHECK(sum->high == 132);
  sum = sumOf(product(requantized("%acc bias(%b) factor(%one)")));
  REQUIRE(sum);
  CHECK(*sum->oneFactor == 0.25);

  CHECK(!sumOf(product(requantized("%acc bias(%none) factor(%f)"))));
  CHECK(!sumOf(product(requantized("%b bias(%acc) factor(%f)"))));
  CHECK(!sumOf(product(requantized("%acc bias(%b) factor(%f) plus(%f)", "(i32, i32, f32, f32)"))));
  CHECK(!sumOf(product(requantized("%acc, %b bias(%b, %b) factor(%f, %f)", "(i32, i32, i32, i32, f32, f32)"))));
  CHECK(
      !sumOf(product("%i = sinter.requantize %acc bias(%b) factor(%f) zero -5 in [-123, 132] : (i32, i32, f32) -> i8\n"
                     " %q = arith.addi %i, %i : i8")));
  // along rows
  CHECK(!sumOf(product(requantized("%acc bias(%b) factor(%f)"), "(i, j) -> (i)")));
  CHECK(
      !sumOf(product("%q = sinter.requantize %acc bias(%b) factor(%f) zero -5 in [-123, 132] : (i32, i32, f32) -> i16",
                     "(i, j) -> (j)", "i16")));
}
