// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop nest compares may be decided by the ranges of its integers: indices count from 0, so that all that a
// Range from 0 on is asked for holds. Exporters spell masks so that hide nothing. A nest that makes one number becomes
// a fill, which upstream's folds see through.
#include "passes/passes.h"

#include "ir/dim_bounds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace sinter {
namespace {

/// Ranges of integers inside of loop nests, and of what tensors hold.
class Contents {
public:
  Interval ofTensor(Value tensor) {
    constexpr unsigned deepest = 64;
    llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
    if (depth > deepest)
      return {};
    auto [found, isNew] = tensors.try_emplace(tensor, Interval());
    if (!isNew)
      return found->second;
    Interval range = compute(tensor);
    return tensors[tensor] = range;
  }

  Interval ofScalar(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto nest = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
      bool isInput = nest && argument.getArgNumber() < nest.getNumDpsInputs();
      return isInput ? ofTensor(nest.getDpsInputOperand(argument.getArgNumber())->get()) : Interval();
    }
    Operation *op = value.getDefiningOp();
    if (isa<linalg::IndexOp>(op))
      return {0, INT64_MAX >> 1}; // that many steps no loop has
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      return ofTensor(extract.getTensor());
    if (!op->getParentOfType<linalg::GenericOp>())
      return sizes.ofValue(value);
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return {number.getSExtValue(), number.getSExtValue()};
    if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      return ofScalar(op->getOperand(0));
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return ofScalar(select.getTrueValue()).unite(ofScalar(select.getFalseValue()));
    if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return ofArithmetic(op);
    return {};
  }

private:
  Interval compute(Value tensor) {
    Operation *op = tensor.getDefiningOp();
    if (!op)
      return {};
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp,
            linalg::TransposeOp>(op))
      return ofTensor(op->getOperand(0));
    if (auto fill = dyn_cast<linalg::FillOp>(op))
      return ofScalar(fill.getInputs()[0]);
    DenseIntElementsAttr elements;
    if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat()) {
      int64_t number = elements.getSplatValue<APInt>().getSExtValue();
      return {number, number};
    }
    auto nest = dyn_cast<linalg::GenericOp>(op);
    if (!nest || nest.getNumReductionLoops() > 0 || !getElementTypeOrSelf(tensor).isIntOrIndex())
      return {};
    return ofScalar(nest.getBody()->getTerminator()->getOperand(cast<OpResult>(tensor).getResultNumber()));
  }

  /// Where the type holds all that can come of it.
  Interval ofArithmetic(Operation *op) {
    Interval a = ofScalar(op->getOperand(0)), b = ofScalar(op->getOperand(1));
    unsigned width = op->getResult(0).getType().isIndex() ? 64 : op->getResult(0).getType().getIntOrFloatBitWidth();
    __int128 least = 0, most = 0;
    auto note = [&, isFirst = true](__int128 x) mutable {
      least = isFirst ? x : std::min(least, x);
      most = isFirst ? x : std::max(most, x);
      isFirst = false;
    };
    for (__int128 x : {a.low, a.high})
      for (__int128 y : {b.low, b.high})
        note(isa<arith::AddIOp>(op) ? x + y : isa<arith::SubIOp>(op) ? x - y : x * y);
    const __int128 end = __int128(1) << (width - 1);
    return -end <= least && most < end ? Interval{static_cast<int64_t>(least), static_cast<int64_t>(most)} : Interval();
  }

  DimBounds sizes;
  DenseMap<Value, Interval> tensors;
  unsigned depth = 0; ///< of nests that read one another
};

/// What a comparison gives for all that its operands can be.
std::optional<bool> decided(arith::CmpIOp compare, Contents &contents) {
  Interval a = contents.ofScalar(compare.getLhs()), b = contents.ofScalar(compare.getRhs());
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
  Contents contents;
  SmallVector<std::pair<arith::CmpIOp, bool>> found;
  module.walk([&](arith::CmpIOp compare) {
    if (compare->getParentOfType<linalg::GenericOp>())
      if (std::optional<bool> holds = decided(compare, contents))
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
