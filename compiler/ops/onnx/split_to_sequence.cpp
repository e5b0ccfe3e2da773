// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SplitToSequence: parts whose number is known are as many tensors; where only a call knows how many there are, a loop
// fills a stack (ops/stacked.h).
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"
#include "ops/sequences.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// The sizes of the parts of a dim: as a list gives them, or one number for all but the last, which may be smaller.
FailureOr<SmallVector<int64_t>> splitPartsOf(Op &op, Size dim) {
  std::optional<SmallVector<int64_t>> split = op.has(1) ? op.constantIntegers(1) : SmallVector<int64_t>{1};
  if (!split)
    return op.fail(Code::ShapeNotConstant, "'split' is not constant", "give the dims that it depends on: --dim NAME=N");
  bool isList = op.has(1) && op.input(1).rank() == 1;
  if (isList) {
    int64_t sum = 0;
    for (int64_t size : *split) {
      if (size < 0 || size > mostElements - sum)
        return op.fail(Code::ShapeMismatch, "'split' asks for " + Twine(size) + " of the dim");
      sum += size;
    }
    if (failed(mustBeEqual(op, dim, sizeOf(op.b, sum), "the sizes in 'split' are not, in sum, what the dim has")))
      return failure();
    return *split;
  }
  std::optional<int64_t> length = constantOf(dim);
  if (!length)
    return op.fail(Code::ShapeNotConstant, "the dim that a sequence is split from is not known at compile time",
                   "give it: --dim NAME=N");
  int64_t size = split->front();
  if (size < 1)
    return op.fail(Code::ShapeMismatch, "'split' is not positive");
  if (failed(op.conversion.spend(op.node, *length / size)))
    return failure();
  SmallVector<int64_t> sizes(*length / size, size);
  if (*length % size)
    sizes.push_back(*length % size);
  return sizes;
}

/// Parts of one size that only a call knows, or of a dim that only a call knows: an element of a stack each, the last
/// perhaps smaller.
LogicalResult splitAtRunTime(Op &op, Tensor x, int64_t axis) {
  OpBuilder &b = op.b;
  bool keeps = op.has(1) || op.integer("keepdims", 1) != 0;
  Size length = op.size(x, axis), split = sizeOf(b, 1);
  auto most = rangeOf(length);
  if (!most)
    return failWithoutBound(op, 0, "the dim that a sequence is split from has no bound");
  if (op.has(1)) {
    FailureOr<Sizes> given = op.elements(1, "split");
    if (failed(given))
      return failure();
    if (failed(mustHold(op, relationHolds(op, ">", given->front(), sizeOf(b, 0)), "'split' is not positive")))
      return failure();
    // What is longer than the dim is as long; the bound holds what divides above 0 in any case.
    split = maximum(b, op.loc, minimum(b, op.loc, given->front(), length), sizeOf(b, 1));
  }
  auto partRange = rangeOf(split);
  int64_t mostOfPart = std::max<int64_t>(std::min(partRange ? partRange->second : most->second, most->second), 1);
  int64_t leastOfPart = partRange ? std::max<int64_t>(partRange->first, 1) : 1;
  int64_t capacity = statedBound(op, 0).value_or(
      llvm::divideCeil(static_cast<uint64_t>(most->second), static_cast<uint64_t>(leastOfPart)));
  Sizes sizes = op.sizes(x);
  sizes[axis] = b.create<BoundOp>(op.loc, b.getIndexType(), toValue(b, op.loc, split), 0, mostOfPart).getResult();
  Tensor sample = op.empty(sizes, x.element);
  std::optional<SequenceForm> ofPart = formOfElement(op, {sample, {}, false, false});
  if (!ofPart)
    return failWithoutBound(op, 0, "an element of a sequence has a size without a bound");
  if (keeps)
    ofPart->shapes.front()[axis].least = 0;
  else
    ofPart->shapes.front().erase(ofPart->shapes.front().begin() + axis);
  ofPart->capacity = capacity;

  Value one = b.create<arith::ConstantIndexOp>(op.loc, 1), zero = b.create<arith::ConstantIndexOp>(op.loc, 0);
  Value step = toValue(b, op.loc, split), whole = toValue(b, op.loc, length);
  Value parts = b.create<arith::CeilDivSIOp>(op.loc, whole, step);
  parts = b.create<BoundOp>(op.loc, b.getIndexType(), parts, 0, capacity);
  Stacked start = emptyStack(op, *ofPart);
  SmallVector<Value> values;
  for (Tensor tensor : tensorsOf(start))
    values.push_back(tensor.value);
  auto loop = b.create<scf::ForOp>(op.loc, zero, parts, one, values);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  Tensors t{inside, op.loc};
  auto stackIn = [&](ValueRange tensors) {
    return Stacked{
        {tensors[0], x.element}, {tensors[1], ElementType::Int64}, {tensors[2], ElementType::Int64}, *ofPart};
  };
  Value begin = inside.create<arith::MulIOp>(op.loc, loop.getInductionVar(), step);
  Sizes part = op.sizes(x), offsets(x.rank(), sizeOf(b, 0)), ones(x.rank(), sizeOf(b, 1));
  offsets[axis] = inside.create<BoundOp>(op.loc, b.getIndexType(), begin, 0, most->second).getResult();
  Size rest = sub(inside, op.loc, length, offsets[axis]);
  part[axis] = within(t, minimum(inside, op.loc, split, rest), sizeOf(b, mostOfPart));
  Tensor y = t.slice(x, offsets, part, ones);
  Stacked grown = stackIn(loop.getRegionIterArgs());
  grown = inserted(t, grown, {keeps ? y : t.squeeze(y, {axis}), {}, false, false}, nullptr, *ofPart);
  SmallVector<Value> yields;
  for (Tensor tensor : tensorsOf(grown))
    yields.push_back(tensor.value);
  inside.create<scf::YieldOp>(op.loc, yields);
  return give(op, sequenceOf(stackIn(loop.getResults())));
}

LogicalResult lowerSplitToSequence(Op &op) {
  Tensor x = op.input(0);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), x.rank());
  bool isOneSize = !op.has(1) || op.input(1).rank() == 0;
  if (succeeded(axis) && isOneSize && ((op.has(1) && !op.constantIntegers(1)) || !constantOf(op.size(x, *axis))))
    return splitAtRunTime(op, x, *axis);
  if (succeeded(axis) && op.has(1) && op.input(1).rank() == 1 && !op.constantIntegers(1))
    if (std::optional<int64_t> count = constantOf(op.size(op.input(1), 0)); count.value_or(0) > 0) {
      // How many parts there are is known, how large they are only in a call.
      if (failed(op.conversion.spend(op.node, *count)))
        return failure();
      auto parts = op.call("Split", 13, {x, op.input(1)}, op.param("axis", *axis), *count);
      if (failed(parts))
        return failure();
      std::vector<Converted> elements;
      for (Tensor part : *parts)
        elements.push_back({part, {}, false, false});
      return give(op, sequenceOf(std::move(elements), x.element));
    }
  auto sizes = failed(axis) ? FailureOr<SmallVector<int64_t>>() : splitPartsOf(op, op.size(x, *axis));
  if (failed(sizes))
    return failure();
  bool keeps = op.has(1) || op.integer("keepdims", 1) != 0;
  std::vector<Converted> elements;
  Sizes part = op.sizes(x), offsets(x.rank(), sizeOf(op.b, 0)), ones(x.rank(), sizeOf(op.b, 1));
  int64_t done = 0;
  for (int64_t size : *sizes) {
    offsets[*axis] = sizeOf(op.b, done);
    part[*axis] = sizeOf(op.b, size);
    Tensor y = op.slice(x, offsets, part, ones);
    elements.push_back({keeps ? y : op.squeeze(y, {*axis}), {}, false, false});
    done += size;
  }
  return give(op, sequenceOf(std::move(elements), x.element));
}
} // namespace

void register_split_to_sequence(Registry &registry) {
  registry.onOp("SplitToSequence", {11, 24}, "input[_*] split[]|[_] axis@input keepdims=0|1", lowerSplitToSequence);
}

} // namespace sinter
