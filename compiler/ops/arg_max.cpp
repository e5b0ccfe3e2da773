// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arg_max.h"

using namespace mlir;

namespace sinter {

/// Does the new element take the place of the best so far? NaN is better than all numbers.
static Value wins(const Scalars &s, Compare better, Value x, Value best) {
  if (!s.isFloat())
    return s.compare(better, x, best);
  if (better == Compare::GreaterOrEqual || better == Compare::LessOrEqual)
    return s.b.create<arith::OrIOp>(s.loc, s.compare(better, x, best), s.compare(Compare::NotEqual, x, x));
  // Better, or one of both is NaN, which the best is not.
  auto orUnordered = better == Compare::Greater ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
  Value taken = s.b.create<arith::CmpFOp>(s.loc, orUnordered, x, best);
  return s.b.create<arith::AndIOp>(s.loc, taken, s.compare(Compare::Equal, best, best));
}

Tensor placeOfBest(const Op &op, Tensor x, int64_t axis, Compare better) {
  bool greatest = better == Compare::Greater || better == Compare::GreaterOrEqual;
  Sizes outer = op.sizes(x);
  outer.erase(outer.begin() + axis);
  Scalars outside{op.b, op.loc, x.element};
  ElementType held = isNarrowFloat(x.element) ? ElementType::Float : x.element;
  Tensor best = op.filled(outer, held, greatest ? outside.lowest() : outside.highest());
  Tensor index =
      op.filled(outer, ElementType::Int64, op.b.create<arith::ConstantOp>(op.loc, op.b.getI64IntegerAttr(0)));
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> iterators(x.rank(), utils::IteratorType::parallel);
  iterators[axis] = utils::IteratorType::reduction;
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != axis)
      kept.push_back(op.b.getAffineDimExpr(d));
  AffineMap result = AffineMap::get(x.rank(), 0, kept, op.b.getContext());
  AffineMap maps[] = {op.b.getMultiDimIdentityMap(x.rank()), result, result};
  Value inits[] = {best.value, index.value};
  auto generic = op.b.create<linalg::GenericOp>(
      op.loc, TypeRange(ValueRange(inits)), x.value, inits, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Scalars s{b, loc, x.element};
        Value element = widen(b, loc, x.element, args[0]);
        Value taken = wins(s, better, element, args[1]);
        Value here = b.create<arith::IndexCastOp>(loc, b.getI64Type(), b.create<linalg::IndexOp>(loc, axis));
        b.create<linalg::YieldOp>(loc, ValueRange{s.select(taken, element, args[1]), s.select(taken, here, args[2])});
      });
  return {generic.getResult(1), ElementType::Int64};
}

} // namespace sinter
