// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reduction_axes.h"

#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {

FailureOr<ReductionAxes> ReductionAxes::of(Op &op, int64_t operandSince) {
  ReductionAxes axes;
  int64_t rank = op.input(0).rank();
  SmallVector<int64_t> given = op.integers("axes");
  bool isEmptyOperand = op.has(1) && op.input(1).type().hasStaticShape() && op.input(1).type().getNumElements() == 0;
  if (op.since >= operandSince && op.has(1) && !isEmptyOperand) {
    if (std::optional<SmallVector<int64_t>> known = op.constantIntegers(1)) {
      given = *known;
    } else {
      FailureOr<Sizes> values = op.elements(1, "axes");
      if (failed(values))
        return failure();
      Scalars boolean{op.b, op.loc, ElementType::Bool};
      axes.flags.assign(rank, boolean.constant(0));
      axes.number = values->size();
      Value size = op.b.create<arith::ConstantIndexOp>(op.loc, rank);
      for (Size value : *values) {
        Value axis = op.b.create<CheckIndexOp>(op.loc, op.b.getIndexType(), toValue(op.b, op.loc, value), size,
                                               op.b.getBoolAttr(true));
        for (int64_t d = 0; d < rank; ++d) {
          Value here = op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, axis,
                                                  op.b.create<arith::ConstantIndexOp>(op.loc, d));
          axes.flags[d] = op.b.create<arith::OrIOp>(op.loc, axes.flags[d], here);
        }
      }
      return axes;
    }
  }
  if (given.empty() && !op.integer("noop_with_empty_axes"))
    given = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  // A dim that is named twice is folded once.
  SmallVector<int64_t> once;
  for (int64_t axis : given)
    if (!llvm::is_contained(once, axis) && !llvm::is_contained(once, axis < 0 ? axis + rank : axis - rank))
      once.push_back(axis);
  FailureOr<SmallVector<int64_t>> checked = op.axes(once, rank);
  if (failed(checked))
    return failure();
  axes.fixed = *checked;
  return axes;
}

Tensor ReductionAxes::fold(Op &op, Tensor x, ElementType accumulator, Initial initial, Combine combine) const {
  if (flags.empty())
    return op.reduce(x, fixed, true, accumulator, initial, combine);
  Tensor folded = op.cast(x, accumulator);
  for (int64_t d = 0; d < x.rank(); ++d)
    folded = foldWhere(op, folded, d, accumulator, initial, combine);
  return folded;
}

/// Both x and x folded along d exist; the flag says which one is read.
Tensor ReductionAxes::foldWhere(Op &op, Tensor x, int64_t d, ElementType accumulator, Initial initial,
                                Combine combine) const {
  Tensor folded = op.reduce(x, d, true, accumulator, initial, combine), readable = neverEmpty(op, x, d);
  Sizes sizes = op.sizes(x);
  sizes[d] = chosen(op, flags[d], sizeOf(op.b, 1), sizes[d]);
  return op.generate(sizes, accumulator, [&](OpBuilder &b, ValueRange at) -> Value {
    SmallVector<Value> first(at);
    first[d] = b.create<arith::ConstantIndexOp>(op.loc, 0);
    Value whole = b.create<tensor::ExtractOp>(op.loc, folded.value, first);
    Value own = b.create<tensor::ExtractOp>(op.loc, readable.value, at);
    return b.create<arith::SelectOp>(op.loc, flags[d], whole, own);
  });
}

Size ReductionAxes::count(Op &op, Tensor x) const {
  if (flags.empty())
    return elementCount(op, x, fixed);
  Size count = sizeOf(op.b, 1);
  for (auto [d, flag] : llvm::enumerate(flags))
    count = mul(op.b, op.loc, count, chosen(op, flag, op.size(x, d), sizeOf(op.b, 1)));
  return count;
}

Tensor ReductionAxes::result(Op &op, Tensor folded) const {
  if (op.integer("keepdims", 1))
    return folded;
  if (flags.empty())
    return op.squeeze(folded, fixed);
  // The j-th size is that of the dim before which j others are kept. Should axes repeat, trailing dims are left out.
  Sizes sizes(static_cast<size_t>(std::max<int64_t>(folded.rank() - number, 0)), sizeOf(op.b, 1));
  Size before = sizeOf(op.b, 0);
  for (auto [d, flag] : llvm::enumerate(flags)) {
    Size size = op.size(folded, d), one = sizeOf(op.b, 1), zero = sizeOf(op.b, 0);
    for (auto [j, out] : llvm::enumerate(sizes)) {
      Value place = op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, toValue(op.b, op.loc, before),
                                               op.b.create<arith::ConstantIndexOp>(op.loc, j));
      Value kept = op.b.create<arith::XOrIOp>(op.loc, flag, Scalars{op.b, op.loc, ElementType::Bool}.constant(1));
      out = chosen(op, op.b.create<arith::AndIOp>(op.loc, place, kept), size, out);
    }
    before = add(op.b, op.loc, before, chosen(op, flag, zero, one));
  }
  return op.reshape(folded, sizes);
}

Size elementCount(const Tensors &t, Tensor x, ArrayRef<int64_t> axes) {
  Size count = sizeOf(t.b, 1);
  for (int64_t axis : axes)
    count = mul(t.b, t.loc, count, t.size(x, axis));
  return count;
}

Value reducedCount(const Scalars &s, Size count) {
  if (std::optional<int64_t> fixed = constantOf(count))
    return s.integer(*fixed);
  Value wide = s.b.create<arith::IndexCastOp>(s.loc, s.b.getI64Type(), toValue(s.b, s.loc, count));
  return Scalars{s.b, s.loc, ElementType::Int64}.castTo(s.type, wide);
}

} // namespace sinter
