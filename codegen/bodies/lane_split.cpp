// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_split.h"

#include "body_ranges.h"
#include "dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {
namespace {

/// How far integers of the body move per step of a dim.
class Steps {
public:
  Steps(int lane, const Dims &dims) : lane(lane), dims(dims) {}

  /// Nothing where that is not the same for all steps, or where a step might wrap around.
  std::optional<int64_t> of(Value value) {
    constexpr int64_t safe = int64_t(1) << 62;
    if (!dependsOn(value, lane, dims))
      return 0;
    Interval range = ranges.ofScalar(value);
    Operation *op = value.getDefiningOp();
    if (!op || range.low < -safe || range.high > safe)
      return std::nullopt;
    if (isa<linalg::IndexOp>(op))
      return 1;
    if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      return of(op->getOperand(0));
    if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return std::nullopt;
    std::optional<int64_t> a = of(op->getOperand(0)), b = of(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    if (!isa<arith::MulIOp>(op))
      return isa<arith::AddIOp>(op) ? *a + *b : *a - *b;
    Interval factor = ranges.ofScalar(op->getOperand(*a ? 1 : 0));
    int64_t step = *a ? *a : *b, product;
    bool isConstant = factor.low == factor.high && !llvm::MulOverflow(step, factor.low, product);
    return isConstant ? std::optional(product) : std::nullopt;
  }

private:
  int lane;
  const Dims &dims;
  BodyRanges ranges;
};

} // namespace

SmallVector<LaneTurn, 2> turnsOf(arith::CmpIOp compare, const Nest &, int lane, const Dims &dims) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  bool isEquality = predicate == Predicate::eq || predicate == Predicate::ne;
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sge;
  if (!isEquality && !isStrict && predicate != Predicate::sle && predicate != Predicate::sgt)
    return {};
  Steps steps(lane, dims);
  std::optional<int64_t> left = steps.of(compare.getLhs()), right = steps.of(compare.getRhs());
  int64_t apart = left && right ? *left - *right : 0;
  if (apart != 1 && apart != -1)
    return {};
  // Left less right grows or falls by one per step.
  Value from = apart > 0 ? compare.getLhs() : compare.getRhs(), to = apart > 0 ? compare.getRhs() : compare.getLhs();
  if (isEquality)
    return {{from, to, false}, {from, to, true}};
  return {{from, to, isStrict != (apart > 0)}};
}

LaneSplit splitAlong(const Nest &nest, int lane, const Dims &dims) {
  constexpr size_t mostComparisons = 4;
  LaneSplit split;
  for (Operation &op : nest.body->without_terminator())
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      if (dependsOn(compare, lane, dims) && !turnsOf(compare, nest, lane, dims).empty())
        split.comparisons.push_back(compare);
  if (split.comparisons.empty() || split.comparisons.size() > mostComparisons)
    return {};
  Dims inParts = variantOf(nest, split, lane, std::nullopt).dims;
  for (Operation &op : nest.body->without_terminator())
    if (auto select = dyn_cast<arith::SelectOp>(op); select && !split.choosing)
      if (uint64_t mask = inParts.lookup(select.getCondition()); (mask & kDependsOnPart) && !(mask >> lane & 1))
        split.choosing = select.getCondition();
  return split;
}

Value BodyVariant::resolved(Value value) const {
  for (auto it = sameAs.find(value); it != sameAs.end(); it = sameAs.find(value))
    value = it->second;
  return value;
}

BodyVariant variantOf(const Nest &nest, const LaneSplit &split, int lane, std::optional<bool> chosen) {
  BodyVariant variant;
  auto isDividing = [&](Operation *op) {
    return llvm::any_of(split.comparisons, [&](arith::CmpIOp compare) { return compare.getOperation() == op; });
  };
  variant.dims = dependences(nest, [&](Operation &op, const Dims &dims) -> std::optional<uint64_t> {
    if (isDividing(&op)) {
      uint64_t mask = dims.lookup(op.getOperand(0)) | dims.lookup(op.getOperand(1));
      return (mask & ~(uint64_t(1) << lane)) | kDependsOnPart;
    }
    auto select = dyn_cast<arith::SelectOp>(op);
    if (!chosen || !select || select.getCondition() != split.choosing)
      return std::nullopt;
    Value same = variant.resolved(*chosen ? select.getTrueValue() : select.getFalseValue());
    variant.sameAs[select] = same;
    return dims.lookup(same);
  });
  SmallVector<Value> pending(nest.body->getTerminator()->getOperands());
  for (Operation &op : nest.body->without_terminator())
    if (isa<CheckIndexOp>(op)) // also tells about indices that are not read
      pending.push_back(op.getResult(0));
  while (!pending.empty()) {
    Value value = variant.resolved(pending.pop_back_val());
    Operation *op = value.getDefiningOp();
    if (!op) {
      variant.arguments.insert(value);
      continue;
    }
    if (op->getBlock() != nest.body || !variant.needed.insert(op).second || isDividing(op))
      continue;
    op->walk([&](Operation *inner) { llvm::append_range(pending, inner->getOperands()); });
  }
  return variant;
}

SmallVector<std::optional<bool>, 2> choicesOf(const LaneSplit &split) {
  if (split.choosing)
    return {true, false};
  return {std::nullopt};
}

} // namespace sinter
