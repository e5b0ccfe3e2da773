// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/support/index_ranges.h"

#include "mlir/IR/MLIRContext.h"

#include <doctest/doctest.h>
#include <random>

using namespace mlir;
using namespace sinter;

namespace {

int64_t valueAt(AffineExpr expr, ArrayRef<int64_t> point) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = valueAt(binary.getLHS(), point), right = valueAt(binary.getRHS(), point);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::mod(left, right);
  }
}

} // namespace

TEST_CASE("index expressions are as short as ranges allow") {
  MLIRContext context;
  AffineExpr a = getAffineDimExpr(0, &context), b = getAffineDimExpr(1, &context);
  int64_t sizes[] = {16, 32};
  auto simplified = [&](AffineExpr expr) { return simplifiedWithin(expr, sizes); };
  AffineExpr flat = a * 32 + b;
  CHECK(simplified(flat.floorDiv(32)) == a);
  CHECK(simplified(flat % 32) == b);
  CHECK(simplified(flat.floorDiv(16)) == a * 2 + b.floorDiv(16));
  CHECK(simplified((flat % 512).floorDiv(32)) == a);
  CHECK(simplified(b.floorDiv(8) * 8 + b % 8) == b);
  CHECK(simplified((b * 4 + 3) % 4) == 3);
  CHECK(simplified(a * b) == a * b); // no affine expression: as it is
  CHECK(simplifiedWithin(a + b, {1, 32}) == b);
}

TEST_CASE("simplified index expressions have the same values") {
  MLIRContext context;
  std::mt19937 random(1);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int trial = 0; trial < 500; ++trial) {
    int64_t sizes[] = {1 + below(6), 1 + below(6), 1 + below(6)};
    AffineExpr expr = getAffineConstantExpr(below(3), &context);
    for (int step = 0; step < 7; ++step) {
      AffineExpr dim = getAffineDimExpr(static_cast<unsigned>(below(3)), &context);
      int64_t by = 1 + below(7);
      switch (below(4)) {
      case 0:
        expr = expr + dim * (by - 3);
        break;
      case 1:
        expr = expr * by + dim % by;
        break;
      case 2:
        expr = expr.floorDiv(by) + (expr % by) * 2;
        break;
      default:
        expr = expr.floorDiv(by) * by + expr % by + dim;
      }
    }
    AffineExpr simplified = simplifiedWithin(expr, sizes);
    for (int64_t a = 0; a < sizes[0]; ++a)
      for (int64_t b = 0; b < sizes[1]; ++b)
        for (int64_t c = 0; c < sizes[2]; ++c)
          REQUIRE(valueAt(simplified, {a, b, c}) == valueAt(expr, {a, b, c}));
  }
}
