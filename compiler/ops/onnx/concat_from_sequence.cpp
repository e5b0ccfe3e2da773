// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ConcatFromSequence: Concat of what is known; of a stack (ops/stacked.h) a loop over its elements. Where these have
// several ranks, that of the first is the rank of all.
#include "ops/branches.h"
#include "ops/meeting.h"
#include "ops/runtime_sizes.h"
#include "ops/sequences.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// The element of a stack whose elements have one rank.
Tensor tensorAt(const Tensors &t, const Stacked &stack, Value place) { return elementAt(t, stack, place).tensor; }

/// A stack's elements one behind the other, in a loop.
Tensor concatStack(Op &op, const Stacked &stack, int64_t axis) {
  OpBuilder &b = op.b;
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  Value count = toValue(b, op.loc, countOf(op, stack));
  require(op, b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sgt, count, zero),
          "a sequence is joined that has elements");
  Sizes first = op.sizes(tensorAt(op, stack, zero));
  // How large it gets: the sum of what the elements have of the axis.
  auto sum = b.create<scf::ForOp>(op.loc, zero, count, one, ValueRange{zero});
  OpBuilder adding = OpBuilder::atBlockBegin(sum.getBody());
  Tensors inSum{adding, op.loc};
  Size more = inSum.size(tensorAt(inSum, stack, sum.getInductionVar()), axis);
  Value total = adding.create<arith::AddIOp>(op.loc, sum.getRegionIterArg(0), toValue(adding, op.loc, more));
  adding.create<scf::YieldOp>(op.loc, total);
  int64_t most = stack.form.capacity * stack.form.shapes.front()[axis].most;
  Sizes sizes = first;
  sizes[axis] = b.create<BoundOp>(op.loc, b.getIndexType(), sum.getResult(0), 0, most).getResult();

  auto copy =
      b.create<scf::ForOp>(op.loc, zero, count, one, ValueRange{op.empty(sizes, stack.form.element).value, zero});
  OpBuilder copying = OpBuilder::atBlockBegin(copy.getBody());
  Tensors inCopy{copying, op.loc};
  Tensor element = tensorAt(inCopy, stack, copy.getInductionVar());
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
  return {copy.getResult(0), stack.form.element};
}

/// Elements that may differ in shape, side by side along a new axis: the call ends where they do differ.
Tensor stackAlike(Op &op, const Stacked &stack, int64_t axis) {
  OpBuilder &b = op.b;
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  Size count = countOf(op, stack);
  require(op, b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sgt, toValue(b, op.loc, count), zero),
          "a sequence is joined that has elements");
  Sizes first = op.sizes(tensorAt(op, stack, zero)), sizes = first;
  sizes.insert(sizes.begin() + axis, count);
  auto copy = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, count), one,
                                   ValueRange{op.empty(sizes, stack.form.element).value});
  OpBuilder copying = OpBuilder::atBlockBegin(copy.getBody());
  Tensors inCopy{copying, op.loc};
  Tensor element = tensorAt(inCopy, stack, copy.getInductionVar());
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
  return {copy.getResult(0), stack.form.element};
}

/// A stack's elements side by side along a new axis.
Tensor stackAlong(Op &op, const Stacked &stack, int64_t axis) {
  const Extents &shape = stack.form.shapes.front();
  if (!llvm::all_of(shape, [](const Extent &extent) { return extent.isFixed(); }))
    return stackAlike(op, stack, axis);
  Sizes sizes{sizeOf(op.b, rowsOf(stack.form))};
  for (const Extent &extent : shape)
    sizes.push_back(sizeOf(op.b, extent.most));
  Tensor all = takeFirst(op, op.reshape(stack.items, sizes), countOf(op, stack), 0);
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(1, all.rank()));
  permutation.insert(permutation.begin() + axis, 0);
  return op.transpose(all, permutation);
}

/// Of a stack whose elements have the ranks of these shapes, the first of which decides.
FailureOr<SmallVector<Converted>> joinStack(Op &op, const Stacked &stack, ArrayRef<Extents> shapes) {
  Value zero = op.b.create<arith::ConstantIndexOp>(op.loc, 0);
  auto rank = static_cast<int64_t>(shapes.front().size());
  if (shapes.size() > 1) {
    Tensor isFirst = rankZero(op.b, op.loc, ElementType::Bool, hasRankAt(op, stack, zero, rank));
    auto joinIn = [&](ArrayRef<Extents> some) {
      return [&, some](OpBuilder &b) {
        Op inside(op.conversion, op.node, b);
        return joinStack(inside, stack, some);
      };
    };
    return choose(op, isFirst, joinIn(shapes.take_front()), joinIn(shapes.drop_front()), {0});
  }
  if (stack.form.shapes.size() > 1) {
    Value count = toValue(op.b, op.loc, countOf(op, stack)), one = op.b.create<arith::ConstantIndexOp>(op.loc, 1);
    auto each = op.b.create<scf::ForOp>(op.loc, zero, count, one);
    OpBuilder inside = OpBuilder::atBlockBegin(each.getBody());
    Tensors t{inside, op.loc};
    require(t, hasRankAt(t, stack, each.getInductionVar(), rank), "elements that are joined have one rank");
  }
  bool newAxis = op.integer("new_axis", 0) != 0;
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), rank + newAxis);
  if (failed(axis))
    return failure();
  Stacked ofRank = ofOneShape(op, stack, shapes.front());
  Tensor joined = newAxis ? stackAlong(op, ofRank, *axis) : concatStack(op, ofRank, *axis);
  return SmallVector<Converted>{{joined, {}, false, false}};
}

LogicalResult lowerConcat(Op &op) {
  const Converted &sequence = given(op, 0);
  if (sequence.stacked || llvm::any_of(sequence.elements, [](const Converted &one) { return one.choice != nullptr; })) {
    FailureOr<Stacked> stack = stackOf(op, 0);
    if (failed(stack) || failed(needElements(op, *stack)))
      return failure();
    auto joined = joinStack(op, *stack, stack->form.shapes);
    return failed(joined) ? failure() : give(op, joined->front());
  }
  bool newAxis = op.integer("new_axis", 0) != 0;
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
