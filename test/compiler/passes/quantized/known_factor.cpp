// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/quantized/support/known_factor.h"

#include "ir/dialect.h"
#include "pipeline/dialects.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <doctest/doctest.h>

using namespace mlir;
using namespace sinter;

namespace {

/// y[i, j] = x[i, j] * (s[j] * 2) + z[i], with s and 2 known and z known or not.
constexpr const char *text = R"(
#element = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<2x3xf32>, %z: tensor<3xf32>) -> tensor<2x3xf32> {
  %s = sinter.weight dense<[1.0, 2.0, 4.0]> : tensor<3xf32> : tensor<3xf32>
  %one = sinter.weight dense<8.0> : tensor<1xf32> : tensor<1xf32>
  %y = tensor.empty() : tensor<2x3xf32>
  %r = linalg.generic {indexing_maps = [#element, #column, affine_map<(i, j) -> (0)>, #column, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %one, %z : tensor<2x3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<3xf32>) outs(%y : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %out: f32):
    %two = arith.constant 2.0 : f32
    %scaled = arith.mulf %b, %two : f32
    %known = arith.mulf %scaled, %c : f32
    %unknown = arith.mulf %scaled, %d : f32
    %p = arith.mulf %a, %known : f32
    %q = arith.addf %p, %unknown : f32
    linalg.yield %q : f32
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
)";

} // namespace

TEST_CASE("factors of a body that depend on constants only") {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  REQUIRE(module);
  linalg::GenericOp generic;
  module->walk([&](linalg::GenericOp op) { generic = op; });
  std::optional<ElementBody> body = ElementBody::of(generic);
  REQUIRE(body);
  SmallVector<arith::MulFOp> products(body->block->getOps<arith::MulFOp>());
  REQUIRE(products.size() == 4);
  EvaluationCache cache;

  std::optional<KnownFactor> known = knownFactor(products[1].getResult(), *body, cache);
  REQUIRE(known);
  CHECK(known->values == std::vector<double>{16, 32, 64}); // s[j] * 2 * 8, one per column
  CHECK_FALSE(known->isOne());
  CHECK(known->map == generic.getIndexingMapsArray()[1]);
  CHECK_FALSE(knownFactor(products[2].getResult(), *body, cache)); // times an input
  CHECK_FALSE(knownFactor(body->block->getArgument(0), *body, cache));
  std::optional<KnownFactor> one = knownFactor(body->block->getArgument(2), *body, cache);
  REQUIRE(one);
  CHECK(one->isOne()); // a tensor of one element is a number, however it is read
  CHECK(one->values == std::vector<double>{8});
}

TEST_CASE("factors that are read differently are not combined") {
  MLIRContext context;
  AffineMap row = AffineMap::get(2, 0, getAffineDimExpr(0, &context)),
            column = AffineMap::get(2, 0, getAffineDimExpr(1, &context));
  KnownFactor a{{1, 2}, row, {2}}, b{{3, 5}, row, {2}}, c{{3, 5}, column, {2}};
  auto plus = [](double x, double y) { return x + y; };
  CHECK(combined(a, b, plus)->values == std::vector<double>{4, 7});
  CHECK_FALSE(combined(a, c, plus));
  CHECK(combined(KnownFactor::one(10), c, plus)->values == std::vector<double>{13, 15});
  CHECK(combined(a, KnownFactor::one(10), plus)->map == row);
  CHECK(a.mapped([](double x) { return -x; }).values == std::vector<double>{-1, -2});
  CHECK(a.all([](double x) { return x > 0; }));
  CHECK_FALSE(a.all([](double x) { return x > 1; }));
}
