// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "consistent_sizes.h"

#include "ir/dialect.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/SetVector.h"
#include <random>

using namespace mlir;

namespace sinter {
namespace {

/// The ops of one type that a value follows from.
template <class OpType>
SmallVector<OpType> behind(Value value) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  llvm::SetVector<Operation *> slice;
  if (value.getDefiningOp())
    getBackwardSlice(value, &slice, options);
  SmallVector<OpType> found;
  for (Operation *op : slice)
    if (auto one = dyn_cast<OpType>(op))
      found.push_back(one);
  return found;
}

/// Lowers dims that `side` grows with until it is at most `most`; true if a dim changed.
bool lowerDims(Value side, int64_t most, Numbers &numbers) {
  bool changed = false;
  for (DimOp dim : behind<DimOp>(side)) {
    int64_t least = static_cast<int64_t>(dim.getMin()), now = *numbers.of(dim.getResult());
    auto fits = [&](int64_t size) {
      numbers.set(dim, size);
      std::optional<int64_t> value = numbers.of(side);
      return value && *value <= most;
    };
    if (fits(now))
      return changed;
    if (least >= now)
      continue;
    int64_t low = least, high = now; // low fits or is the least; high does not fit
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    numbers.set(dim, low);
    changed = true;
  }
  return changed;
}

bool makeTrue(arith::CmpIOp compare, Numbers &numbers) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  std::optional<int64_t> lhs = numbers.of(compare.getLhs()), rhs = numbers.of(compare.getRhs());
  if (!lhs || !rhs || predicate == Predicate::ne)
    return false;
  bool isStrict = llvm::is_contained({Predicate::slt, Predicate::ult, Predicate::sgt, Predicate::ugt}, predicate);
  bool isLess = llvm::is_contained({Predicate::slt, Predicate::sle, Predicate::ult, Predicate::ule}, predicate);
  if (*lhs > *rhs && (isLess || predicate == Predicate::eq))
    return lowerDims(compare.getLhs(), *rhs - isStrict, numbers);
  if (*rhs > *lhs && !isLess)
    return lowerDims(compare.getRhs(), *lhs - isStrict, numbers);
  return false;
}

/// Looks for sizes with which no assertion is violated, from where `numbers` begin.
bool settleSizes(ArrayRef<cf::AssertOp> assertions, Numbers &numbers) {
  auto isViolated = [&](cf::AssertOp assertion) { return numbers.of(assertion.getArg()) == 0; };
  // Each round lowers some dim, and may violate what held before.
  constexpr int mostRounds = 16;
  bool changed = true;
  for (int round = 0; changed && round < mostRounds; ++round) {
    changed = false;
    for (cf::AssertOp assertion : assertions)
      for (arith::CmpIOp compare : behind<arith::CmpIOp>(assertion.getArg()))
        if (isViolated(assertion))
          changed |= makeTrue(compare, numbers);
  }
  return llvm::none_of(assertions, isViolated);
}

} // namespace

std::optional<Numbers> consistentSizes(func::FuncOp function) {
  SmallVector<cf::AssertOp> assertions(function.getBody().front().getOps<cf::AssertOp>());
  if (Numbers largest; settleSizes(assertions, largest))
    return largest;
  // Lowering passes by products that must be met exactly: other beginnings, the same each time.
  llvm::SetVector<DimOp> dims;
  for (cf::AssertOp assertion : assertions)
    for (DimOp dim : behind<DimOp>(assertion.getArg()))
      dims.insert(dim);
  const size_t beginnings = 4096 / (assertions.size() + 1);
  constexpr uint64_t span = 32; // small sizes, of which products are many
  std::minstd_rand random;
  for (size_t i = 0; i < beginnings; ++i) {
    Numbers numbers;
    for (DimOp dim : dims) {
      uint64_t least = dim.getMin(), sizes = std::min<uint64_t>(dim.getMax() - least + 1, span);
      numbers.set(dim, static_cast<int64_t>(least + random() % sizes));
    }
    if (settleSizes(assertions, numbers))
      return numbers;
  }
  return std::nullopt;
}

} // namespace sinter
