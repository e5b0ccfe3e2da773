// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding arithmetic on sizes. Linear expressions go through affine maps, which normalise them; products of symbols
// through arith; what is a number or exact only by the algebra of sizes comes from there (polynomial_sizes.cpp).
#include "polynomial_sizes.h"

#include "ir/dim_bounds.h"

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
  if (cx && cy)
    return *cx == *cy;
  DimBounds bounds;
  return bounds.getAlgebra().of(x) == bounds.getAlgebra().of(y);
}

Value toValue(OpBuilder &b, Location loc, Size size) { return getValueOrCreateConstantIndexOp(b, loc, size); }

SmallVector<int64_t> staticShape(ArrayRef<Size> sizes) {
  return llvm::map_to_vector(sizes, [](Size s) { return constantOf(s).value_or(ShapedType::kDynamic); });
}

namespace {
/// A value that a constant index op defines, as its number, so that affine composition sees it.
Size normalizedSize(OpBuilder &b, Size size) {
  if (std::optional<int64_t> c = constantOf(size))
    return b.getIndexAttr(*c);
  return size;
}

Size affineSize(OpBuilder &b, Location loc, AffineExpr expr, ArrayRef<Size> operands) {
  SmallVector<Size> args = llvm::map_to_vector(operands, [&](Size s) { return normalizedSize(b, s); });
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
  return affineSize(b, loc, b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1), {x, y});
}

Size sub(OpBuilder &b, Location loc, Size x, Size y) {
  if (auto difference = numbers(b, x, y, isNegative(x), llvm::SubOverflow<int64_t>))
    return *difference;
  if (std::optional<Size> known = simpleDifference(b, loc, x, y))
    return *known;
  return affineSize(b, loc, b.getAffineSymbolExpr(0) - b.getAffineSymbolExpr(1), {x, y});
}

Size mul(OpBuilder &b, Location loc, Size x, Size y) {
  if (auto product = numbers(b, x, y, isNegative(x) != isNegative(y), llvm::MulOverflow<int64_t>))
    return *product;
  if (!constantOf(x))
    std::swap(x, y);
  if (std::optional<int64_t> c = constantOf(x))
    return affineSize(b, loc, b.getAffineSymbolExpr(0) * *c, {y});
  return b.createOrFold<arith::MulIOp>(loc, toValue(b, loc, x), toValue(b, loc, y));
}

Size floorDiv(OpBuilder &b, Location loc, Size x, int64_t y) {
  if (std::optional<Size> exact = exactQuotient(b, loc, x, sizeOf(b, y)))
    return *exact;
  return affineSize(b, loc, b.getAffineSymbolExpr(0).floorDiv(y), {x});
}

Size ceilDiv(OpBuilder &b, Location loc, Size x, int64_t y) {
  if (std::optional<Size> exact = exactQuotient(b, loc, x, sizeOf(b, y)))
    return *exact;
  return affineSize(b, loc, b.getAffineSymbolExpr(0).ceilDiv(y), {x});
}

Size divide(OpBuilder &b, Location loc, Size x, Size y) {
  if (std::optional<int64_t> c = constantOf(y))
    return *c ? floorDiv(b, loc, x, *c) : y;
  if (std::optional<Size> exact = exactQuotient(b, loc, x, y))
    return *exact;
  return b.createOrFold<arith::DivSIOp>(loc, toValue(b, loc, x), toValue(b, loc, y));
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
static bool isAtLeast(Size x, Size y) { return DimBounds().ofDifference(x, y).low >= 0; }

Size minimum(OpBuilder &b, Location loc, Size x, Size y) {
  if (isAtLeast(x, y))
    return y;
  if (isAtLeast(y, x))
    return x;
  return affine::makeComposedFoldedAffineMin(b, loc, AffineMap::getMultiDimIdentityMap(2, b.getContext()),
                                             {normalizedSize(b, x), normalizedSize(b, y)});
}

Size maximum(OpBuilder &b, Location loc, Size x, Size y) {
  if (isMaximumOf(x, y) || isAtLeast(x, y))
    return x;
  if (isMaximumOf(y, x) || isAtLeast(y, x))
    return y;
  return affine::makeComposedFoldedAffineMax(b, loc, AffineMap::getMultiDimIdentityMap(2, b.getContext()),
                                             {normalizedSize(b, x), normalizedSize(b, y)});
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
