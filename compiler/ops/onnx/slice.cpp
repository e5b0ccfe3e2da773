// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slice: attributes before version 10, operands since, any of which may be run-time data. A forward slice with known
// steps is a view; one with a negative or a run-time step moves data.
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

struct AxisSlice {
  Size offset, size;
};

AxisSlice forward(const Op &op, Size length, Size start, Size end, int64_t step) {
  start = clampedIndex(op, start, length, 0, 0);
  end = clampedIndex(op, end, length, 0, 0);
  return {start, ceilDiv(op.b, op.loc, sub(op.b, op.loc, end, start), step)};
}

AxisSlice backward(const Op &op, Size length, Size start, Size end, int64_t step) {
  start = maximum(op.b, op.loc, clampedIndex(op, start, length, 0, -1), sizeOf(op.b, 0));
  end = clampedIndex(op, end, length, -1, -1);
  return {start, ceilDiv(op.b, op.loc, sub(op.b, op.loc, start, end), -step)};
}

/// A step known only at run time: both directions, and the one that its sign asks for.
AxisSlice eitherWay(const Op &op, Size length, Size start, Size end, Size step) {
  OpBuilder &b = op.b;
  Value s = toValue(b, op.loc, step), zero = b.create<arith::ConstantIndexOp>(op.loc, 0),
        one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  Value down = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, s, zero);
  Value size = b.create<arith::MaxSIOp>(
      op.loc, b.create<arith::SelectOp>(op.loc, down, b.create<arith::SubIOp>(op.loc, zero, s), s), one);
  AxisSlice up = forward(op, length, start, end, 1), back = backward(op, length, start, end, -1);
  Size span = chosen(op, down, back.size, up.size);
  Value extent = b.create<arith::CeilDivSIOp>(op.loc, toValue(b, op.loc, span), size);
  return {chosen(op, down, back.offset, up.offset), extent};
}

Tensor movedSlice(const Op &op, Tensor x, ArrayRef<Size> offsets, ArrayRef<Size> sizes, ArrayRef<Size> steps) {
  return op.generate(sizes, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> index;
    for (auto [i, coordinate] : llvm::enumerate(at)) {
      Value scaled = coordinate;
      if (constantOf(steps[i]) != 1)
        scaled = nb.create<arith::MulIOp>(op.loc, coordinate, toValue(nb, op.loc, steps[i]));
      if (constantOf(offsets[i]) != 0)
        scaled = nb.create<arith::AddIOp>(op.loc, scaled, toValue(nb, op.loc, offsets[i]));
      index.push_back(scaled);
    }
    return nb.create<tensor::ExtractOp>(op.loc, x.value, index);
  });
}

LogicalResult lowerSlice(Op &op) {
  Tensor x = op.input(0);
  auto starts = sizesFrom(op, "starts", 1), ends = sizesFrom(op, "ends", 2), axes = sizesFrom(op, "axes", 3),
       steps = sizesFrom(op, "steps", 4);
  if (failed(starts) || failed(ends) || failed(axes) || failed(steps))
    return failure();
  size_t count = (*starts)->size();
  SmallVector<int64_t> leading = llvm::to_vector(llvm::seq<int64_t>(0, count));
  Sizes dims = *axes ? **axes : sizesOf(op.b, leading),
        allSteps = *steps ? **steps : sizesOf(op.b, SmallVector<int64_t>(count, 1));
  if ((*ends)->size() != count || dims.size() != count || allSteps.size() != count)
    return op.fail(Code::ShapeMismatch, "'starts', 'ends', 'axes' and 'steps' differ in length");
  SmallVector<int64_t> known;
  for (Size axis : dims)
    if (std::optional<int64_t> fixed = constantOf(axis)) {
      FailureOr<int64_t> place = op.axis(*fixed, x.rank());
      if (failed(place))
        return failure();
      if (is_contained(known, *place))
        return op.fail(Code::ShapeMismatch, "axis " + Twine(*place) + " is named twice");
      known.push_back(*place);
    }
  Sizes offsets(x.rank(), sizeOf(op.b, 0)), strides(x.rank(), sizeOf(op.b, 1)), sizes = op.sizes(x);
  bool isView = true;
  for (int64_t d = 0; d < x.rank(); ++d) {
    Size length = sizes[d], all = sizeOf(op.b, std::numeric_limits<int64_t>::max()), one = sizeOf(op.b, 1);
    Size start = valueForAxis(op, **starts, dims, d, x.rank(), sizeOf(op.b, 0)),
         end = valueForAxis(op, **ends, dims, d, x.rank(), all);
    Size step = valueForAxis(op, allSteps, dims, d, x.rank(), one);
    std::optional<int64_t> fixed = constantOf(step);
    if (fixed == 0)
      return op.fail(Code::ShapeMismatch, "a step of 0");
    // A step beyond any dim takes one element, as the largest that cannot overflow does.
    constexpr int64_t far = int64_t(1) << 31;
    if (fixed)
      step = sizeOf(op.b, *fixed = std::clamp(*fixed, -far, far));
    else
      step = maximum(op.b, op.loc, minimum(op.b, op.loc, step, sizeOf(op.b, far)), sizeOf(op.b, -far));
    AxisSlice slice = !fixed       ? eitherWay(op, length, start, end, step)
                      : *fixed > 0 ? forward(op, length, start, end, *fixed)
                                   : backward(op, length, start, end, *fixed);
    isView &= fixed && *fixed > 0;
    if (!certainlyNonNegative(slice.size))
      slice.size = within(op, maximum(op.b, op.loc, slice.size, sizeOf(op.b, 0)), length);
    if (!certainlyAtMost(op, slice.size, length))
      slice.size = within(op, minimum(op.b, op.loc, slice.size, length), length);
    sizes[d] = slice.size;
    offsets[d] = slice.offset;
    strides[d] = step;
  }
  return op.result(isView ? op.slice(x, offsets, sizes, strides) : movedSlice(op, x, offsets, sizes, strides));
}
} // namespace

void register_slice(Registry &registry) {
  registry.onOp("Slice", {1, 10, 11, 13},
                "data[_*] starts[L] ends[L] axes[L] steps[L] steps!=0 value(steps)!=0 axes@data value(axes)@data",
                lowerSlice);
}

} // namespace sinter
