// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ArgMax, ArgMin: the index of the first (or last) greatest (least) element along an axis. A NaN beats every number.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

namespace {
/// Does the new element take the place of the best so far?
Value wins(const Scalars &s, Compare better, Value x, Value best) {
  Value taken = s.compare(better, x, best);
  if (!s.isFloat())
    return taken;
  Value isNaN = s.compare(Compare::NotEqual, x, x), bestIsNumber = s.compare(Compare::Equal, best, best);
  bool last = better == Compare::GreaterOrEqual || better == Compare::LessOrEqual;
  Value overNaN = last ? isNaN : s.b.create<arith::AndIOp>(s.loc, isNaN, bestIsNumber).getResult();
  return s.b.create<arith::OrIOp>(s.loc, taken, overNaN);
}

template <bool greatest>
LogicalResult lower(Op &op) {
  Tensor x = op.input(0);
  FailureOr<int64_t> axis = op.axis(op.integer("axis"), x.rank());
  if (failed(axis))
    return failure();
  bool last = op.integer("select_last_index");
  Compare better =
      greatest ? (last ? Compare::GreaterOrEqual : Compare::Greater) : (last ? Compare::LessOrEqual : Compare::Less);

  Sizes outer = op.sizes(x);
  outer.erase(outer.begin() + *axis);
  Scalars outside{op.b, op.loc, x.element};
  ElementType held = isNarrowFloat(x.element) ? ElementType::Float : x.element;
  Tensor best = op.filled(outer, held, greatest ? outside.lowest() : outside.highest());
  Tensor index =
      op.filled(outer, ElementType::Int64, op.b.create<arith::ConstantOp>(op.loc, op.b.getI64IntegerAttr(0)));
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> iterators(x.rank(), utils::IteratorType::parallel);
  iterators[*axis] = utils::IteratorType::reduction;
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != *axis)
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
        Value here = b.create<arith::IndexCastOp>(loc, b.getI64Type(), b.create<linalg::IndexOp>(loc, *axis));
        b.create<linalg::YieldOp>(loc, ValueRange{s.select(taken, element, args[1]), s.select(taken, here, args[2])});
      });
  Tensor y{generic.getResult(1), ElementType::Int64};
  return op.result(op.integer("keepdims", 1) ? op.unsqueeze(y, *axis) : y);
}
} // namespace

void register_arg_max(Registry &registry) {
  registry.onOp("ArgMax", {1, 11, 12, 13}, "data[_+] axis@data dim(data,or(axis,0))>=1", lower<true>);
  registry.onOp("ArgMin", {1, 11, 12, 13}, "data[_+] axis@data dim(data,or(axis,0))>=1", lower<false>);
}

} // namespace sinter
