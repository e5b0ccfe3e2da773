// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding arithmetic on sizes. Linear expressions go through affine maps, which normalise them; products of symbols
// through arith.
#include "sizes.h"

#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;

namespace sinter {

Size sizeOf(OpBuilder &b, int64_t value) { return b.getIndexAttr(value); }

Sizes sizesOf(OpBuilder &b, ArrayRef<int64_t> values) {
  return llvm::map_to_vector(values, [&](int64_t v) { return sizeOf(b, v); });
}

std::optional<int64_t> constantOf(Size size) { return getConstantIntValue(size); }

bool sameSize(Size x, Size y) {
  if (x == y)
    return true;
  std::optional<int64_t> cx = constantOf(x), cy = constantOf(y);
  return cx && cy && *cx == *cy;
}

Value toValue(OpBuilder &b, Location loc, Size size) { return getValueOrCreateConstantIndexOp(b, loc, size); }

SmallVector<int64_t> staticShape(ArrayRef<Size> sizes) {
  return llvm::map_to_vector(sizes, [](Size s) { return constantOf(s).value_or(ShapedType::kDynamic); });
}

namespace {
/// A value that a constant index op defines, as its number, so that affine composition sees it.
Size normalized(OpBuilder &b, Size size) {
  if (std::optional<int64_t> c = constantOf(size))
    return b.getIndexAttr(*c);
  return size;
}

Size affine(OpBuilder &b, Location loc, AffineExpr expr, ArrayRef<Size> operands) {
  SmallVector<Size> args = llvm::map_to_vector(operands, [&](Size s) { return normalized(b, s); });
  return affine::makeComposedFoldedAffineApply(b, loc, expr, args);
}

/// What two numbers make. Beyond 64 bits it is the end on that side: models give any number as a pad, a start or a
/// repeat, no tensor is as large as either end, and what is clamped or checked afterwards goes on as it should.
template <class Operation>
std::optional<Size> numbers(OpBuilder &b, Size x, Size y, bool negative, Operation overflows) {
  std::optional<int64_t> cx = constantOf(x), cy = constantOf(y);
  if (!cx || !cy)
    return std::nullopt;
  int64_t result;
  if (overflows(*cx, *cy, result))
    result = negative ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return sizeOf(b, result);
}

bool isNegative(Size size) { return constantOf(size).value_or(0) < 0; }
} // namespace

Size add(OpBuilder &b, Location loc, Size x, Size y) {
  if (auto sum = numbers(b, x, y, isNegative(x), llvm::AddOverflow<int64_t>))
    return *sum;
  return affine(b, loc, b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1), {x, y});
}

Size sub(OpBuilder &b, Location loc, Size x, Size y) {
  if (auto difference = numbers(b, x, y, isNegative(x), llvm::SubOverflow<int64_t>))
    return *difference;
  return affine(b, loc, b.getAffineSymbolExpr(0) - b.getAffineSymbolExpr(1), {x, y});
}

Size mul(OpBuilder &b, Location loc, Size x, Size y) {
  if (auto product = numbers(b, x, y, isNegative(x) != isNegative(y), llvm::MulOverflow<int64_t>))
    return *product;
  if (!constantOf(x))
    std::swap(x, y);
  if (std::optional<int64_t> c = constantOf(x))
    return affine(b, loc, b.getAffineSymbolExpr(0) * *c, {y});
  return b.createOrFold<arith::MulIOp>(loc, toValue(b, loc, x), toValue(b, loc, y));
}

Size floorDiv(OpBuilder &b, Location loc, Size x, int64_t y) {
  return affine(b, loc, b.getAffineSymbolExpr(0).floorDiv(y), {x});
}

Size ceilDiv(OpBuilder &b, Location loc, Size x, int64_t y) {
  return affine(b, loc, b.getAffineSymbolExpr(0).ceilDiv(y), {x});
}

namespace {
/// A size as number * value; the value is null for a plain number.
struct Multiple {
  int64_t factor;
  Value base;
};

Multiple multipleOf(Size size) {
  if (std::optional<int64_t> c = constantOf(size))
    return {*c, nullptr};
  auto value = cast<Value>(size);
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>()) {
    auto product = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
    if (product && product.getKind() == AffineExprKind::Mul && apply.getOperands().size() == 1)
      if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
          factor && isa<AffineSymbolExpr, AffineDimExpr>(product.getLHS()))
        return {factor.getValue(), apply.getOperands()[0]};
  }
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    if (std::optional<int64_t> factor = getConstantIntValue(product.getRhs()))
      return {*factor, product.getLhs()};
  return {1, value};
}
} // namespace

Size divide(OpBuilder &b, Location loc, Size x, Size y) {
  if (std::optional<int64_t> c = constantOf(y))
    return *c ? floorDiv(b, loc, x, *c) : y;
  if (sameSize(x, y))
    return sizeOf(b, 1);
  // (6 * s) / (2 * s)
  if (Multiple top = multipleOf(x), bottom = multipleOf(y);
      top.base == bottom.base && bottom.factor && top.factor % bottom.factor == 0)
    return sizeOf(b, top.factor / bottom.factor);
  // (x * y) / y
  if (auto value = dyn_cast<Value>(x))
    if (auto product = value.getDefiningOp<arith::MulIOp>()) {
      if (product.getRhs() == dyn_cast<Value>(y))
        return product.getLhs();
      if (product.getLhs() == dyn_cast<Value>(y))
        return product.getRhs();
    }
  return b.createOrFold<arith::DivSIOp>(loc, toValue(b, loc, x), toValue(b, loc, y));
}

/// Null: it does not follow from sizes, or may wrap around.
static Size traced(OpBuilder &b, Location loc, Value integer, int depth) {
  if (std::optional<int64_t> fixed = getConstantIntValue(integer))
    return sizeOf(b, *fixed);
  if (integer.getType().isIndex())
    return integer;
  Operation *op = integer.getDefiningOp();
  constexpr int deepest = 32;
  if (!op || depth > deepest ||
      !isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
           arith::DivSIOp>(op))
    return nullptr;
  SmallVector<Size> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(traced(b, loc, operand, depth + 1));
    if (!operands.back())
      return nullptr;
  }
  Size result = operands.front();
  if (isa<arith::AddIOp>(op))
    result = add(b, loc, operands[0], operands[1]);
  else if (isa<arith::SubIOp>(op))
    result = sub(b, loc, operands[0], operands[1]);
  else if (isa<arith::MulIOp>(op))
    result = mul(b, loc, operands[0], operands[1]);
  else if (isa<arith::DivSIOp>(op)) {
    auto above = rangeOf(operands[0]), below = rangeOf(operands[1]);
    if (!above || !below || above->first < 0 || below->first <= 0)
      return nullptr;
    result = divide(b, loc, operands[0], operands[1]);
  }
  auto range = rangeOf(result);
  unsigned width = integer.getType().getIntOrFloatBitWidth();
  return range && llvm::isIntN(width, range->first) && llvm::isIntN(width, range->second) ? result : nullptr;
}

Size sizeOfInteger(OpBuilder &b, Location loc, Value integer) {
  if (Size size = traced(b, loc, integer, 0))
    return size;
  return getAsOpFoldResult(b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), integer));
}

std::optional<Size> sizeOfWhole(OpBuilder &b, Location loc, Value floating) {
  APFloat fixed(0.0);
  if (matchPattern(floating, m_ConstantFloat(&fixed))) {
    APSInt whole(64, /*isUnsigned=*/false);
    bool isExact = false;
    if (fixed.convertToInteger(whole, APFloat::rmTowardZero, &isExact) == APFloat::opOK && isExact)
      return sizeOf(b, whole.getSExtValue());
    return std::nullopt;
  }
  Operation *op = floating.getDefiningOp();
  if (auto wider = dyn_cast_or_null<arith::ExtFOp>(op))
    return sizeOfWhole(b, loc, wider.getIn());
  if (!isa_and_nonnull<arith::SIToFPOp>(op))
    return std::nullopt;
  Size size = traced(b, loc, op->getOperand(0), 0);
  auto range = size ? rangeOf(size) : std::nullopt;
  int64_t mostExact =
      int64_t(1) << APFloat::semanticsPrecision(cast<FloatType>(floating.getType()).getFloatSemantics());
  return range && -mostExact <= range->first && range->second <= mostExact ? std::optional(size) : std::nullopt;
}

/// Whether x is the largest of y and others.
static bool isMaximumOf(Size x, Size y) {
  auto value = dyn_cast<Value>(x);
  auto largest = value ? value.getDefiningOp<affine::AffineMaxOp>() : nullptr;
  if (!largest || !isa<Value>(y))
    return false;
  AffineMap map = largest.getAffineMap();
  return llvm::any_of(map.getResults(), [&](AffineExpr result) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    auto symbol = dyn_cast<AffineSymbolExpr>(result);
    return (dim && largest.getOperand(dim.getPosition()) == cast<Value>(y)) ||
           (symbol && largest.getOperand(map.getNumDims() + symbol.getPosition()) == cast<Value>(y));
  });
}

/// Whether x is never less than y.
static bool isAtLeast(Size x, Size y) {
  auto high = rangeOf(x), low = rangeOf(y);
  return high && low && high->first >= low->second;
}

Size minimum(OpBuilder &b, Location loc, Size x, Size y) {
  if (isAtLeast(x, y))
    return y;
  if (isAtLeast(y, x))
    return x;
  return affine::makeComposedFoldedAffineMin(b, loc, AffineMap::getMultiDimIdentityMap(2, b.getContext()),
                                             {normalized(b, x), normalized(b, y)});
}

Size maximum(OpBuilder &b, Location loc, Size x, Size y) {
  if (isMaximumOf(x, y) || isAtLeast(x, y))
    return x;
  if (isMaximumOf(y, x) || isAtLeast(y, x))
    return y;
  return affine::makeComposedFoldedAffineMax(b, loc, AffineMap::getMultiDimIdentityMap(2, b.getContext()),
                                             {normalized(b, x), normalized(b, y)});
}

Size product(OpBuilder &b, Location loc, ArrayRef<Size> sizes) {
  Size result = sizeOf(b, 1);
  for (Size size : sizes)
    result = mul(b, loc, result, size);
  return result;
}

Sizes dimsOf(OpBuilder &b, Location loc, Value shaped) {
  Sizes sizes;
  for (int64_t i = 0, rank = cast<ShapedType>(shaped.getType()).getRank(); i < rank; ++i)
    sizes.push_back(dimOf(b, loc, shaped, i));
  return sizes;
}

} // namespace sinter
