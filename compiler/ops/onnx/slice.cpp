// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slice: attributes before version 10, operands since. A forward slice is a view; one with a negative step moves data.
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

struct AxisSlice {
  Size offset, size;
  int64_t step;
};

AxisSlice sliceAxis(const Op &op, Size length, Size start, Size end, int64_t step) {
  OpBuilder &b = op.b;
  Size zero = sizeOf(b, 0), extent;
  if (step > 0) {
    start = clampedIndex(op, start, length, 0, 0);
    end = clampedIndex(op, end, length, 0, 0);
    extent = ceilDiv(b, op.loc, sub(b, op.loc, end, start), step);
  } else {
    start = maximum(b, op.loc, clampedIndex(op, start, length, 0, -1), zero);
    end = clampedIndex(op, end, length, -1, -1);
    extent = ceilDiv(b, op.loc, sub(b, op.loc, start, end), -step);
  }
  if (!certainlyNonNegative(extent))
    extent = within(op, maximum(b, op.loc, extent, zero), length);
  if (!certainlyAtMost(op, extent, length))
    extent = minimum(b, op.loc, extent, length);
  return {start, extent, step};
}

Tensor backward(const Op &op, Tensor x, ArrayRef<Size> offsets, ArrayRef<Size> sizes, ArrayRef<int64_t> steps) {
  return op.generate(sizes, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> index;
    for (auto [i, coordinate] : llvm::enumerate(at)) {
      Value step = nb.create<arith::ConstantIndexOp>(op.loc, steps[i]);
      Value moved = steps[i] == 1 ? coordinate : nb.create<arith::MulIOp>(op.loc, coordinate, step).getResult();
      bool fromStart = constantOf(offsets[i]) == 0;
      index.push_back(fromStart ? moved : nb.create<arith::AddIOp>(op.loc, moved, toValue(nb, op.loc, offsets[i])).getResult());
    }
    return nb.create<tensor::ExtractOp>(op.loc, x.value, index);
  });
}

LogicalResult lower(Op &op) {
  Tensor x = op.input(0);
  auto starts = sizesFrom(op, "starts", 1), ends = sizesFrom(op, "ends", 2);
  auto axes = integersFrom(op, "axes", 3), steps = integersFrom(op, "steps", 4);
  if (failed(starts) || failed(ends) || failed(axes) || failed(steps))
    return failure();
  size_t count = (*starts)->size();
  FailureOr<SmallVector<int64_t>> dims = op.axes(*axes ? **axes : llvm::to_vector(llvm::seq<int64_t>(0, count)), x.rank());
  if (failed(dims))
    return failure();
  if ((*ends)->size() != count || dims->size() != count || (*steps && (*steps)->size() != count))
    return op.fail(Code::ShapeMismatch, "'starts', 'ends', 'axes' and 'steps' differ in length");
  SmallVector<Size> offsets(x.rank(), sizeOf(op.b, 0)), strides(x.rank(), sizeOf(op.b, 1));
  SmallVector<int64_t> allSteps(x.rank(), 1);
  Sizes sizes = op.sizes(x);
  for (size_t i = 0; i < count; ++i) {
    int64_t step = *steps ? (**steps)[i] : 1, axis = (*dims)[i];
    if (step == 0 || step == std::numeric_limits<int64_t>::min())
      return op.fail(Code::ShapeMismatch, "a step of " + Twine(step));
    AxisSlice slice = sliceAxis(op, sizes[axis], (**starts)[i], (**ends)[i], step);
    sizes[axis] = slice.size;
    offsets[axis] = slice.offset;
    strides[axis] = sizeOf(op.b, step);
    allSteps[axis] = step;
  }
  if (llvm::any_of(allSteps, [](int64_t step) { return step < 0; }))
    return op.result(backward(op, x, offsets, sizes, allSteps));
  return op.result(op.slice(x, offsets, sizes, strides));
}
} // namespace

void register_slice(Registry &registry) { registry.onOp("Slice", {1, 10, 11, 13}, lower); }

} // namespace sinter
