// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop nest compares may be decided by the ranges of its integers (body_ranges.h): all that a Range from 0 on is
// asked for holds. Exporters spell masks so that hide nothing. A nest that makes one number becomes a fill, which
// upstream's folds see through.
#include "passes/passes.h"

#include "ir/body_ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {
namespace {

/// What a comparison gives for all that its operands can be.
std::optional<bool> decided(arith::CmpIOp compare, BodyRanges &ranges) {
  Interval a = ranges.ofScalar(compare.getLhs()), b = ranges.ofScalar(compare.getRhs());
  auto between = [](bool always, bool never) {
    return always ? std::optional(true) : never ? std::optional(false) : std::nullopt;
  };
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return between(a.high < b.low, a.low >= b.high);
  case arith::CmpIPredicate::sle:
    return between(a.high <= b.low, a.low > b.high);
  case arith::CmpIPredicate::sgt:
    return between(a.low > b.high, a.high <= b.low);
  case arith::CmpIPredicate::sge:
    return between(a.low >= b.high, a.high < b.low);
  default:
    return std::nullopt;
  }
}

/// A nest that makes the same number everywhere.
void becomeFill(linalg::GenericOp nest) {
  Attribute number;
  if (nest->getNumResults() != 1 || nest.getNumReductionLoops() > 0 ||
      !matchPattern(nest.getBody()->getTerminator()->getOperand(0), m_Constant(&number)))
    return;
  OpBuilder b(nest);
  Value scalar = b.create<arith::ConstantOp>(nest.getLoc(), cast<TypedAttr>(number));
  auto fill = b.create<linalg::FillOp>(nest.getLoc(), scalar, nest.getDpsInits()[0]);
  nest->getResult(0).replaceAllUsesWith(fill.getResult(0));
  nest.erase();
}

} // namespace

LogicalResult foldComparisons(ModuleOp module) {
  BodyRanges ranges;
  SmallVector<std::pair<arith::CmpIOp, bool>> found;
  module.walk([&](arith::CmpIOp compare) {
    if (compare->getParentOfType<linalg::GenericOp>())
      if (std::optional<bool> holds = decided(compare, ranges))
        found.emplace_back(compare, *holds);
  });
  for (auto [compare, holds] : found) {
    OpBuilder b(compare);
    Value known = b.create<arith::ConstantIntOp>(compare.getLoc(), holds, 1);
    compare.getResult().replaceAllUsesWith(known);
    compare.erase();
  }
  SmallVector<linalg::GenericOp> nests;
  module.walk([&](linalg::GenericOp nest) { nests.push_back(nest); });
  for (linalg::GenericOp nest : nests)
    becomeFill(nest);
  return success();
}

} // namespace sinter
