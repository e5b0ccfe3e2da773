// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ConcatFromSequence: Concat of what is known; of a stack (ops/stacked.h) a loop over its elements.
#include "ops/meeting.h"
#include "ops/runtime_sizes.h"
#include "ops/sequences.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// A stack's elements one behind the other, in a loop.
LogicalResult concatStack(Op &op, const Stacked &stack, int64_t axis) {
  OpBuilder &b = op.b;
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  Value count = toValue(b, op.loc, countOf(op, stack));
  require(op, b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sgt, count, zero),
          "a sequence is joined that has elements");
  Sizes first = op.sizes(elementAt(op, stack, zero));
  // How large it gets: the sum of what the elements have of the axis.
  auto sum = b.create<scf::ForOp>(op.loc, zero, count, one, ValueRange{zero});
  OpBuilder adding = OpBuilder::atBlockBegin(sum.getBody());
  Tensors inSum{adding, op.loc};
  Size more = inSum.size(elementAt(inSum, stack, sum.getInductionVar()), axis);
  Value total = adding.create<arith::AddIOp>(op.loc, sum.getRegionIterArg(0), toValue(adding, op.loc, more));
  adding.create<scf::YieldOp>(op.loc, total);
  int64_t most = stack.form.capacity * stack.form.dims[axis].most;
  Sizes sizes = first;
  sizes[axis] = b.create<BoundOp>(op.loc, b.getIndexType(), sum.getResult(0), 0, most).getResult();

  auto copy =
      b.create<scf::ForOp>(op.loc, zero, count, one, ValueRange{op.empty(sizes, stack.form.element).value, zero});
  OpBuilder copying = OpBuilder::atBlockBegin(copy.getBody());
  Tensors inCopy{copying, op.loc};
  Tensor element = elementAt(inCopy, stack, copy.getInductionVar());
  Sizes part = inCopy.sizes(element), offsets(part.size(), sizeOf(b, 0)), steps(part.size(), sizeOf(b, 1));
  Value at = copy.getRegionIterArg(1);
  for (auto [d, size] : llvm::enumerate(part))
    if (static_cast<int64_t>(d) != axis) {
      if (Holds holds = relationHolds(inCopy, "=", size, first[d]); holds.kind == Holds::AtRunTime)
        require(inCopy, holds.condition, "elements that are joined differ along one dim only");
      size = first[d];
    }
  offsets[axis] = copying.create<BoundOp>(op.loc, b.getIndexType(), at, 0, most).getResult();
  Tensor held = inCopy.slice(element, Sizes(part.size(), sizeOf(b, 0)), part, steps);
  Value joined =
      copying.create<tensor::InsertSliceOp>(op.loc, held.value, copy.getRegionIterArg(0), offsets, part, steps);
  Value next = copying.create<arith::AddIOp>(op.loc, at, toValue(copying, op.loc, part[axis]));
  copying.create<scf::YieldOp>(op.loc, ValueRange{joined, next});
  return op.result({copy.getResult(0), stack.form.element});
}

/// Elements that may differ in shape, side by side along a new axis: the call ends where they do differ.
LogicalResult stackAlike(Op &op, const Stacked &stack, int64_t axis) {
  OpBuilder &b = op.b;
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  Size count = countOf(op, stack);
  require(op, b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sgt, toValue(b, op.loc, count), zero),
          "a sequence is joined that has elements");
  Sizes first = op.sizes(elementAt(op, stack, zero)), sizes = first;
  sizes.insert(sizes.begin() + axis, count);
  auto copy = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, count), one,
                                   ValueRange{op.empty(sizes, stack.form.element).value});
  OpBuilder copying = OpBuilder::atBlockBegin(copy.getBody());
  Tensors inCopy{copying, op.loc};
  Tensor element = elementAt(inCopy, stack, copy.getInductionVar());
  for (auto [size, same] : llvm::zip(inCopy.sizes(element), first))
    if (Holds holds = relationHolds(inCopy, "=", size, same); holds.kind == Holds::AtRunTime)
      require(inCopy, holds.condition, "elements that are joined along a new axis have one shape");
  Sizes none(first.size(), sizeOf(b, 0)), steps(first.size(), sizeOf(b, 1)), offsets(sizes.size(), sizeOf(b, 0)),
      unit(sizes.size(), sizeOf(b, 1));
  Tensor held = inCopy.unsqueeze(inCopy.slice(element, none, first, steps), {axis});
  offsets[axis] = copy.getInductionVar();
  sizes[axis] = sizeOf(b, 1);
  Value joined =
      copying.create<tensor::InsertSliceOp>(op.loc, held.value, copy.getRegionIterArg(0), offsets, sizes, unit);
  copying.create<scf::YieldOp>(op.loc, joined);
  return op.result({copy.getResult(0), stack.form.element});
}

/// A stack's elements side by side along a new axis.
LogicalResult stackAlong(Op &op, const Stacked &stack, int64_t axis) {
  if (!llvm::all_of(stack.form.dims, [](const Extent &extent) { return extent.isFixed(); }))
    return stackAlike(op, stack, axis);
  Sizes sizes{sizeOf(op.b, rowsOf(stack.form))};
  for (const Extent &extent : stack.form.dims)
    sizes.push_back(sizeOf(op.b, extent.most));
  Tensor all = takeFirst(op, op.reshape(stack.items, sizes), countOf(op, stack), 0);
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(1, all.rank()));
  permutation.insert(permutation.begin() + axis, 0);
  return op.result(op.transpose(all, permutation));
}

LogicalResult lowerConcat(Op &op) {
  bool newAxis = op.integer("new_axis", 0) != 0;
  if (auto stack = given(op, 0).stacked) {
    if (failed(needOneRank(op, *stack)))
      return failure();
    FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), stack->form.mostRank + newAxis);
    return failed(axis) ? failure() : newAxis ? stackAlong(op, *stack, *axis) : concatStack(op, *stack, *axis);
  }
  SmallVector<Tensor> parts;
  for (const Converted &element : given(op, 0).elements)
    parts.push_back(element.tensor);
  if (parts.empty())
    return op.unsupported("the concatenation of an empty sequence");
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), parts.front().rank() + newAxis);
  if (failed(axis))
    return failure();
  if (newAxis)
    for (Tensor &part : parts)
      part = op.unsqueeze(part, {*axis});
  auto joined = op.call("Concat", 13, parts, op.param("axis", *axis));
  return failed(joined) ? failure() : op.result(joined->front());
}
} // namespace

void register_concat_from_sequence(Registry &registry) {
  registry.onOp("ConcatFromSequence", {11}, "input_sequence[_*] new_axis=0|1", lowerConcat);
}

} // namespace sinter
