// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences and optionals: their structure is known at compile time, so these operators leave no code but for the
// tensors that they move.
#include "ops/attribute_or_operand.h"
#include "ops/meeting.h"
#include "ops/size_relation.h"
#include "ops/subgraphs.h"

using namespace mlir;

namespace sinter {
namespace {

/// `element`: of the tensors in it; Undefined where nobody says.
Converted sequenceOf(std::vector<Converted> elements, ElementType element) {
  return {{{}, element}, std::move(elements), true, false};
}
const Converted &given(const Op &op, unsigned i) { return *op.conversion.find(op.node.getInputs()[i]); }

LogicalResult give(Op &op, FailureOr<Converted> value, unsigned output = 0) {
  if (succeeded(value))
    op.conversion.bind(op.node.getResult(output), std::move(*value));
  return value;
}

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

LogicalResult lowerConstruct(Op &op) {
  std::vector<Converted> elements;
  for (unsigned i = 0; i < op.inputCount(); ++i)
    elements.push_back(given(op, i));
  ElementType element = elements.empty() ? ElementType::Undefined : elements.front().tensor.element;
  return give(op, sequenceOf(std::move(elements), element));
}

/// An element at a run-time position: all as one tensor, of which a slice is taken.
LogicalResult runtimeAt(Op &op, ArrayRef<Converted> elements) {
  SmallVector<Tensor> rows;
  for (const Converted &element : elements) {
    if (!element.tensor || element.tensor.type() != elements.front().tensor.type() ||
        !element.tensor.type().hasStaticShape())
      return op.unsupported("a run-time position in a sequence of different shapes", "make the position constant");
    rows.push_back(op.unsqueeze(element.tensor, {0}));
  }
  Tensor all = op.concat(rows, 0);
  Value index = onlyElement(op.b, op.loc, op.input(1));
  Value place =
      op.b.create<CheckIndexOp>(op.loc, op.b.getIndexType(), index, toValue(op.b, op.loc, op.size(all, 0)), true);
  Sizes sizes = op.sizes(all), offsets(all.rank(), sizeOf(op.b, 0)), ones(all.rank(), sizeOf(op.b, 1));
  offsets[0] = place;
  sizes[0] = sizeOf(op.b, 1);
  return op.result(op.squeeze(op.slice(all, offsets, sizes, ones), {0}));
}

LogicalResult lowerAt(Op &op) {
  const std::vector<Converted> &elements = given(op, 0).elements;
  if (!elements.empty() && !op.constantIntegers(1))
    return runtimeAt(op, elements);
  FailureOr<int64_t> place = position(op, 1, elements.size(), static_cast<int64_t>(elements.size()) - 1);
  return failed(place) ? failure() : give(op, Converted(elements[*place]));
}

LogicalResult lowerInsert(Op &op) {
  int64_t count = given(op, 0).elements.size();
  FailureOr<int64_t> place = position(op, 2, count, count);
  FailureOr<Converted> sequence = failed(place) ? FailureOr<Converted>() : op.conversion.take(op.node, 0);
  const Converted &added = given(op, 1);
  if (succeeded(sequence) && sequence->tensor.element != ElementType::Undefined &&
      sequence->tensor.element != added.tensor.element)
    return op.fail(Code::WrongOperandType, "a tensor(" + elementTypeName(added.tensor.element) +
                                               ") does not go into a sequence of tensor(" +
                                               elementTypeName(sequence->tensor.element) + ")");
  if (succeeded(sequence))
    sequence->elements.insert(sequence->elements.begin() + *place, added);
  return give(op, std::move(sequence));
}

LogicalResult lowerErase(Op &op) {
  int64_t count = given(op, 0).elements.size();
  FailureOr<int64_t> place = position(op, 1, count, count - 1);
  FailureOr<Converted> sequence = failed(place) ? FailureOr<Converted>() : op.conversion.take(op.node, 0);
  if (succeeded(sequence))
    sequence->elements.erase(sequence->elements.begin() + *place);
  return give(op, std::move(sequence));
}

LogicalResult lowerLength(Op &op) {
  return op.result(op.scalar(ElementType::Int64, static_cast<double>(given(op, 0).elements.size())));
}

LogicalResult lowerConcat(Op &op) {
  SmallVector<Tensor> parts;
  for (const Converted &element : given(op, 0).elements)
    parts.push_back(element.tensor);
  if (parts.empty())
    return op.unsupported("the concatenation of an empty sequence");
  bool newAxis = op.integer("new_axis", 0) != 0;
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), parts.front().rank() + newAxis);
  if (failed(axis))
    return failure();
  if (newAxis)
    for (Tensor &part : parts)
      part = op.unsqueeze(part, {*axis});
  auto joined = op.call("Concat", 13, parts, op.param("axis", *axis));
  return failed(joined) ? failure() : op.result(joined->front());
}

/// The sizes of the parts of a dim: as a list gives them, or one number for all but the last, which may be smaller.
FailureOr<SmallVector<int64_t>> partsOf(Op &op, Size dim) {
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

LogicalResult lowerSplit(Op &op) {
  Tensor x = op.input(0);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), x.rank());
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
  auto sizes = failed(axis) ? FailureOr<SmallVector<int64_t>>() : partsOf(op, op.size(x, *axis));
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

LogicalResult lowerMap(Op &op) {
  auto body = subgraphOf(op, "body", op.inputCount(), op.outputCount());
  if (failed(body))
    return failure();
  std::vector<std::vector<Converted>> results(op.outputCount());
  for (size_t k = 0; k < given(op, 0).elements.size(); ++k) {
    SmallVector<Converted> arguments;
    for (unsigned i = 0; i < op.inputCount(); ++i) {
      const Converted &operand = given(op, i);
      if (operand.isSequence && k >= operand.elements.size())
        return op.fail(Code::ShapeMismatch, "the sequences differ in length");
      arguments.push_back(operand.isSequence ? Converted(operand.elements[k]) : operand);
    }
    auto made = op.conversion.convertRegion(**body, arguments, op.b);
    if (failed(made))
      return failure();
    for (auto [list, value] : llvm::zip(results, *made))
      list.push_back(value);
  }
  for (auto [i, list] : llvm::enumerate(results))
    (void)give(op, sequenceOf(std::move(list), ElementType::Undefined), i);
  return success();
}

LogicalResult lowerOptional(Op &op) {
  return give(op, op.inputCount() ? op.conversion.take(op.node, 0) : Converted{{}, {}, false, true});
}

LogicalResult lowerGetElement(Op &op) {
  if (given(op, 0).isAbsent)
    return op.fail(Code::ShapeMismatch, "the optional is empty");
  return give(op, op.conversion.take(op.node, 0));
}

LogicalResult lowerHasElement(Op &op) {
  bool has = op.inputCount() && !given(op, 0).isAbsent;
  return op.result(op.scalar(ElementType::Bool, has));
}
} // namespace

void register_sequence(Registry &registry) {
  registry.onOp("SequenceConstruct", {11}, "inputs[_*]", lowerConstruct);
  registry.onOp("SequenceEmpty", {11}, "", [](Op &op) {
    int64_t element = op.integer("dtype", static_cast<int64_t>(ElementType::Float));
    return give(op, sequenceOf({}, static_cast<ElementType>(element)));
  });
  registry.onOp("SequenceAt", {11}, "input_sequence[_*] position[]|[1]", lowerAt);
  registry.onOp("SequenceInsert", {11}, "input_sequence[_*] tensor[_*] position[]|[1]", lowerInsert);
  registry.onOp("SequenceErase", {11}, "input_sequence[_*] position[]|[1]", lowerErase);
  registry.onOp("SequenceLength", {11}, "input_sequence[_*]", lowerLength);
  registry.onOp("ConcatFromSequence", {11}, "input_sequence[_*] new_axis=0|1", lowerConcat);
  registry.onOp("SplitToSequence", {11, 24}, "input[_*] split[]|[_] axis@input keepdims=0|1", lowerSplit);
  registry.onOp("SequenceMap", {17}, "input_sequence[_*] additional_inputs[_*]", lowerMap);
  registry.onOp("Optional", {15, 28}, "input[_*]", lowerOptional);
  registry.onOp("OptionalGetElement", {15, 18, 28}, "input[_*]", lowerGetElement);
  registry.onOp("OptionalHasElement", {15, 18, 28}, "input[_*]", lowerHasElement);
}

} // namespace sinter
