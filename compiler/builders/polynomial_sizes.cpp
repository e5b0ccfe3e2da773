// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that the algebra of dims knows more of than the ops that compute them: its polynomials written as ops.
#include "polynomial_sizes.h"

#include "ir/dim_bounds.h"
#include "ir/float_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

class PolynomialWriter {
public:
  PolynomialWriter(OpBuilder &b, Location loc, DimAlgebra &algebra) : b(b), loc(loc), algebra(algebra) {}

  Size write(const DimPolynomial &x) {
    if (std::optional<int64_t> constant = x.constant())
      return sizeOf(b, *constant);
    // What all terms have in common stands before the sum: (past + now) * heads.
    DimPolynomial::Product common = x.getTerms().begin()->first;
    for (const auto &term : x.getTerms()) {
      DimPolynomial::Product both;
      std::set_intersection(common.begin(), common.end(), term.first.begin(), term.first.end(),
                            std::back_inserter(both));
      common = both;
    }
    DimPolynomial rest = *x.quotient(DimPolynomial::of(common, 1));
    Size sum = sizeOf(b, 0);
    for (const auto &[product, factor] : rest.getTerms())
      sum = add(b, loc, sum, mul(b, loc, productOf(product), sizeOf(b, factor)));
    return common.empty() ? sum : mul(b, loc, productOf(common), sum);
  }

private:
  Size productOf(const DimPolynomial::Product &product) {
    // In an order that does not depend on what was asked before, so that equal sizes are the same value.
    SmallVector<std::tuple<bool, std::string, unsigned>> order;
    for (unsigned variable : product) {
      const DimAtom &atom = algebra.atom(variable);
      auto dim = atom.key.first ? atom.key.first.getDefiningOp<DimOp>() : nullptr;
      order.emplace_back(!dim, dim ? dim.getName().str() : "", variable);
    }
    llvm::sort(order);
    Size result = sizeOf(b, 1);
    for (const auto &[isOther, name, variable] : order)
      result = mul(b, loc, result, atomOf(variable));
    return result;
  }

  Size atomOf(unsigned variable) {
    DimAtom atom = algebra.atom(variable);
    if (Value value = atom.key.first) {
      if (atom.key.second >= 0)
        return dimOf(b, loc, value, atom.key.second);
      return getAsOpFoldResult(
          value.getType().isIndex() ? value : b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), value));
    }
    SmallVector<Size> parts = llvm::map_to_vector(atom.parts, [&](const DimPolynomial &part) { return write(part); });
    if (atom.kind == DimAtom::Max) {
      Size most = parts.front();
      for (Size part : llvm::drop_begin(parts))
        most = maximum(b, loc, most, part);
      return most;
    }
    if (std::optional<int64_t> divisor = constantOf(parts[1]))
      return floorDiv(b, loc, parts[0], *divisor);
    Value dividend = toValue(b, loc, parts[0]), divisor = toValue(b, loc, parts[1]);
    if (algebra.rangeOf(atom.parts[0]).low >= 0)
      return b.createOrFold<arith::DivSIOp>(loc, dividend, divisor);
    return b.createOrFold<arith::FloorDivSIOp>(loc, dividend, divisor);
  }

  OpBuilder &b;
  Location loc;
  DimAlgebra &algebra;
};

} // namespace

std::optional<Size> exactQuotient(OpBuilder &b, Location loc, Size x, Size y) {
  DimBounds bounds;
  DimAlgebra &algebra = bounds.getAlgebra();
  std::optional<DimPolynomial> quotient = algebra.of(x).quotient(algebra.of(y));
  return quotient ? std::optional(PolynomialWriter(b, loc, algebra).write(*quotient)) : std::nullopt;
}

std::optional<Size> simpleDifference(OpBuilder &b, Location loc, Size x, Size y) {
  DimBounds bounds;
  DimAlgebra &algebra = bounds.getAlgebra();
  DimPolynomial difference = algebra.of(x) - algebra.of(y);
  bool isSimple = difference.getTerms().size() <= 1;
  return isSimple ? std::optional(PolynomialWriter(b, loc, algebra).write(difference)) : std::nullopt;
}

Size sizeOfInteger(OpBuilder &b, Location loc, Value integer) {
  if (std::optional<int64_t> fixed = getConstantIntValue(integer))
    return sizeOf(b, *fixed);
  if (integer.getType().isIndex())
    return integer;
  DimBounds bounds;
  DimAlgebra &algebra = bounds.getAlgebra();
  SizeKey key(integer, -1);
  if (DimPolynomial size = algebra.of(key); size != algebra.itself(key))
    return PolynomialWriter(b, loc, algebra).write(size);
  return getAsOpFoldResult(b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), integer));
}

std::optional<Size> sizeOfWhole(OpBuilder &b, Location loc, Value floating) {
  DimBounds bounds;
  DimAlgebra &algebra = bounds.getAlgebra();
  std::optional<DimPolynomial> size = wholeOf(floating, algebra);
  if (!size || !algebra.rangeOf(*size).isBounded())
    return std::nullopt;
  return PolynomialWriter(b, loc, algebra).write(*size);
}

} // namespace sinter
