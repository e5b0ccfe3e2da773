// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "body_ranges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t kMostSteps = INT64_MAX >> 16; ///< no loop has more, no tensor a larger size

/// What a value of this type has of a range: all of it, or it may be anything.
Interval within(Type type, __int128 least, __int128 most) {
  const __int128 end = __int128(1) << (bitsOfNumber(type) - 1);
  return -end <= least && most < end ? Interval{static_cast<int64_t>(least), static_cast<int64_t>(most)} : Interval();
}

Interval rangeOfLoop(linalg::IndexOp index) {
  auto nest = index->getParentOfType<linalg::LinalgOp>();
  int64_t size = nest ? nest.getStaticLoopRanges()[index.getDim()] : ShapedType::kDynamic;
  return {0, ShapedType::isDynamic(size) ? kMostSteps : std::max<int64_t>(size - 1, 0)};
}

/// Of an expression of dims and symbols, in this order.
Interval rangeOf(AffineExpr expr, unsigned dims, ArrayRef<Interval> operands) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dims + symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Interval::of(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval a = rangeOf(binary.getLHS(), dims, operands), b = rangeOf(binary.getRHS(), dims, operands);
  if (!a.isBounded() || !b.isBounded())
    return {};
  Type index = IndexType::get(expr.getContext());
  if (expr.getKind() == AffineExprKind::Add)
    return within(index, __int128(a.low) + b.low, __int128(a.high) + b.high);
  if (b.low != b.high)
    return {};
  int64_t by = b.low;
  if (expr.getKind() == AffineExprKind::Mul) {
    auto [least, most] = std::minmax(__int128(a.low) * by, __int128(a.high) * by);
    return within(index, least, most);
  }
  if (by <= 0)
    return {};
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return {llvm::divideFloorSigned(a.low, by), llvm::divideFloorSigned(a.high, by)};
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return {llvm::divideCeilSigned(a.low, by), llvm::divideCeilSigned(a.high, by)};
  return {0, by - 1};
}

} // namespace

unsigned bitsOfNumber(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

Interval BodyRanges::ofTensor(Value tensor) {
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

Interval BodyRanges::ofScalar(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto nest = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
    bool isInput = nest && argument.getArgNumber() < nest.getNumDpsInputs();
    return isInput ? ofTensor(nest.getDpsInputOperand(argument.getArgNumber())->get()) : Interval();
  }
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return rangeOfLoop(index);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return ofTensor(extract.getTensor());
  if (isa<tensor::DimOp, memref::DimOp>(op))
    return sizes.ofValue(value).intersect({0, kMostSteps});
  if (!op->getParentOfType<linalg::GenericOp>())
    return sizes.ofValue(value);
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return {number.getSExtValue(), number.getSExtValue()};
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op)) {
    Interval range = ofScalar(op->getOperand(0));
    return within(value.getType(), range.low, range.high);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Interval> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(ofScalar(operand));
    return rangeOf(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), operands);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return ofScalar(select.getTrueValue()).unite(ofScalar(select.getFalseValue()));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return ofArithmetic(op);
  return {};
}

Interval BodyRanges::compute(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return {};
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp, linalg::TransposeOp>(
          op))
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

Interval BodyRanges::ofArithmetic(Operation *op) {
  Interval a = ofScalar(op->getOperand(0)), b = ofScalar(op->getOperand(1));
  __int128 least = 0, most = 0;
  auto note = [&, isFirst = true](__int128 x) mutable {
    least = isFirst ? x : std::min(least, x);
    most = isFirst ? x : std::max(most, x);
    isFirst = false;
  };
  for (__int128 x : {a.low, a.high})
    for (__int128 y : {b.low, b.high})
      note(isa<arith::AddIOp>(op) ? x + y : isa<arith::SubIOp>(op) ? x - y : x * y);
  return within(op->getResult(0).getType(), least, most);
}

} // namespace sinter
