// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences: made, read and changed. Where their structure is known at compile time, these operators leave no code but
// for the tensors that they move; where only a call knows it, they work on stacks (ops/stacked.h).
#include "ops/meeting.h"
#include "ops/runtime_sizes.h"
#include "ops/sequences.h"

using namespace mlir;

namespace sinter {
namespace {

/// Operand i as a place among `count` (one more for insertion); the end where it is absent.
FailureOr<int64_t> position(Op &op, unsigned i, int64_t count, int64_t end) {
  if (!op.has(i))
    return end;
  std::optional<SmallVector<int64_t>> values = op.constantIntegers(i);
  if (!values || values->size() != 1)
    return op.fail(Code::ShapeNotConstant, "the position in a sequence is not constant",
                   "give the dims that it depends on: --dim NAME=N");
  int64_t place = values->front() < 0 ? values->front() + count : values->front();
  if (place < 0 || place > end)
    return op.fail(Code::ShapeMismatch,
                   "position " + Twine(values->front()) + " is outside a sequence of " + Twine(count));
  return place;
}

/// Operand i as a place that is in a stack; with `more`, one behind the last too. Null where it is absent.
Value placeIn(Op &op, unsigned i, const Stacked &stack, bool more) {
  if (!op.has(i))
    return nullptr;
  Size count = countOf(op, stack);
  Value index = onlyElement(op.b, op.loc, op.input(i));
  if (more) { // a negative one counts from the end as it is before
    Value number = op.b.create<arith::IndexCastOp>(op.loc, op.b.getIndexType(), index);
    Value isNegative = op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, number,
                                                  op.b.create<arith::ConstantIndexOp>(op.loc, 0));
    Value fromEnd = op.b.create<arith::AddIOp>(op.loc, number, toValue(op.b, op.loc, count));
    index = op.b.create<arith::SelectOp>(op.loc, isNegative, fromEnd, number);
    count = add(op.b, op.loc, count, sizeOf(op.b, 1));
  }
  return op.b.create<CheckIndexOp>(op.loc, op.b.getIndexType(), index, toValue(op.b, op.loc, count), !more);
}

LogicalResult lowerConstruct(Op &op) {
  std::vector<Converted> elements;
  for (unsigned i = 0; i < op.inputCount(); ++i)
    elements.push_back(given(op, i));
  ElementType element = elements.empty() ? ElementType::Undefined : elements.front().tensor.element;
  return give(op, sequenceOf(std::move(elements), element));
}

/// An element at a run-time position.
LogicalResult runtimeAt(Op &op) {
  FailureOr<Stacked> stack = stackOf(op, 0);
  if (failed(stack) || failed(needElements(op, *stack)))
    return failure();
  return give(op, elementAt(op, *stack, placeIn(op, 1, *stack, /*more=*/false)));
}

LogicalResult lowerAt(Op &op) {
  const Converted &sequence = given(op, 0);
  if (sequence.stacked || (!sequence.elements.empty() && !op.constantIntegers(1)))
    return runtimeAt(op);
  FailureOr<int64_t> place =
      position(op, 1, sequence.elements.size(), static_cast<int64_t>(sequence.elements.size()) - 1);
  return failed(place) ? failure() : give(op, Converted(sequence.elements[*place]));
}

/// Into a sequence, or at a place, that only a call knows.
LogicalResult runtimeInsert(Op &op, const Converted &added) {
  FailureOr<Stacked> stack = stackOf(op, 0);
  std::optional<SequenceForm> form = formOfElement(op, added);
  if (!form)
    return failWithoutBound(op, 0, "the tensor that goes into a sequence has a size without a bound");
  if (failed(stack))
    return failure();
  SequenceForm both = joined(stack->form, *form);
  both.capacity = stack->form.capacity + 1;
  return give(op, sequenceOf(inserted(op, *stack, added, placeIn(op, 2, *stack, /*more=*/true), both)));
}

LogicalResult lowerInsert(Op &op) {
  const Converted &into = given(op, 0), &added = given(op, 1);
  if (into.tensor.element != ElementType::Undefined && into.tensor.element != added.tensor.element)
    return op.fail(Code::WrongOperandType, "a tensor(" + elementTypeName(added.tensor.element) +
                                               ") does not go into a sequence of tensor(" +
                                               elementTypeName(into.tensor.element) + ")");
  if (into.stacked || (op.has(2) && !op.constantIntegers(2)))
    return runtimeInsert(op, added);
  int64_t count = into.elements.size();
  FailureOr<int64_t> place = position(op, 2, count, count);
  FailureOr<Converted> sequence = failed(place) ? FailureOr<Converted>() : op.conversion.take(op.node, 0);
  if (succeeded(sequence))
    sequence->elements.insert(sequence->elements.begin() + *place, given(op, 1));
  return give(op, std::move(sequence));
}

LogicalResult lowerErase(Op &op) {
  if (given(op, 0).stacked || (op.has(1) && !op.constantIntegers(1))) {
    FailureOr<Stacked> stack = stackOf(op, 0);
    if (failed(stack))
      return failure();
    Value place = placeIn(op, 1, *stack, /*more=*/false);
    if (!place) { // the last
      Size last = sub(op.b, op.loc, countOf(op, *stack), sizeOf(op.b, 1));
      place = op.b.create<CheckIndexOp>(op.loc, op.b.getIndexType(), toValue(op.b, op.loc, last),
                                        toValue(op.b, op.loc, countOf(op, *stack)), false);
    }
    return give(op, sequenceOf(erased(op, *stack, place)));
  }
  int64_t count = given(op, 0).elements.size();
  FailureOr<int64_t> place = position(op, 1, count, count - 1);
  FailureOr<Converted> sequence = failed(place) ? FailureOr<Converted>() : op.conversion.take(op.node, 0);
  if (succeeded(sequence))
    sequence->elements.erase(sequence->elements.begin() + *place);
  return give(op, std::move(sequence));
}

LogicalResult lowerLength(Op &op) {
  if (auto stack = given(op, 0).stacked) {
    Value count =
        op.b.createOrFold<arith::IndexCastOp>(op.loc, op.b.getI64Type(), toValue(op.b, op.loc, countOf(op, *stack)));
    return op.result(rankZero(op.b, op.loc, ElementType::Int64, count));
  }
  return op.result(op.scalar(ElementType::Int64, static_cast<double>(given(op, 0).elements.size())));
}

} // namespace

void register_sequence(Registry &registry) {
  registry.onOp("SequenceConstruct", {11}, "inputs[?]", lowerConstruct);
  registry.onOp("SequenceEmpty", {11}, "", [](Op &op) {
    int64_t element = op.integer("dtype", static_cast<int64_t>(ElementType::Float));
    return give(op, sequenceOf({}, static_cast<ElementType>(element)));
  });
  registry.onOp("SequenceAt", {11}, "input_sequence[_*] position[]|[1]", lowerAt);
  registry.onOp("SequenceInsert", {11}, "input_sequence[_*] tensor[?] position[]|[1]", lowerInsert);
  registry.onOp("SequenceErase", {11}, "input_sequence[_*] position[]|[1]", lowerErase);
  registry.onOp("SequenceLength", {11}, "input_sequence[_*]", lowerLength);
}

} // namespace sinter
