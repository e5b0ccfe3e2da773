// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SequenceMap: its body for each element of sequences that are known, in a loop for those that only a call knows.
#include "ops/runtime_sizes.h"
#include "ops/sequences.h"
#include "ops/size_relation.h"
#include "ops/subgraphs.h"

using namespace mlir;

namespace sinter {
namespace {

/// What the body makes of element `place` of each sequence among the operands.
FailureOr<SmallVector<Converted>> mapped(Op &op, Region &body, const Tensors &t, ArrayRef<Converted> operands,
                                         Value place) {
  SmallVector<Converted> arguments;
  for (const Converted &operand : operands)
    arguments.push_back(operand.stacked ? elementAt(t, *operand.stacked, place) : operand);
  auto made = op.conversion.convertRegion(body, arguments, t.b);
  if (failed(made))
    return failure();
  for (const Converted &value : *made)
    if (!(value.tensor || value.choice) || value.present)
      return op.unsupported("a SequenceMap whose body makes sequences or optionals");
  return made;
}

/// Of sequences that only a call knows: a loop that adds to a stack for each output.
LogicalResult mapStacks(Op &op, Region &body) {
  OpBuilder &b = op.b;
  SmallVector<Converted> operands;
  std::optional<Size> count;
  int64_t capacity = 0;
  for (unsigned i = 0; i < op.inputCount(); ++i) {
    operands.push_back(given(op, i));
    if (!operands.back().isSequence)
      continue;
    FailureOr<Stacked> stack = stackOf(op, i);
    if (failed(stack) || failed(needElements(op, *stack)))
      return failure();
    operands.back() = sequenceOf(*stack);
    if (count && failed(mustBeEqual(op, countOf(op, *stack), *count, "the sequences differ in length")))
      return failure();
    if (!count) {
      count = countOf(op, *stack);
      capacity = stack->form.capacity;
    }
  }
  // The body once, to see what it makes.
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  auto probe = b.create<scf::ForOp>(op.loc, zero, one, one);
  OpBuilder inProbe = OpBuilder::atBlockBegin(probe.getBody());
  Tensors probing{inProbe, op.loc};
  Value any = inProbe.create<UnrealizedConversionCastOp>(op.loc, inProbe.getIndexType(), probe.getInductionVar())
                  .getResult(0); // of which nothing is known
  auto sample = mapped(op, body, probing, operands, any);
  if (failed(sample))
    return failure();
  std::vector<SequenceForm> forms;
  for (auto [i, value] : llvm::enumerate(*sample)) {
    std::optional<SequenceForm> form = formOfElement(probing, value);
    if (!form)
      return failWithoutBound(op, i, "an element of output " + Twine(i) + " has a size without a bound");
    form->capacity = capacity;
    forms.push_back(*form);
  }
  probe.erase();
  op.conversion.evaluations.clear(); // it is keyed by values that are gone

  SmallVector<Value> starts;
  for (const SequenceForm &form : forms)
    for (Tensor tensor : tensorsOf(emptyStack(op, form)))
      starts.push_back(tensor.value);
  auto stackFrom = [&](ValueRange tensors, size_t i) {
    ValueRange own = tensors.drop_front(3 * i);
    return Stacked{{own[0], forms[i].element}, {own[1], ElementType::Int64}, {own[2], ElementType::Int64}, forms[i]};
  };
  auto loop = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, *count), one, starts);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  Tensors t{inside, op.loc};
  auto made = mapped(op, body, t, operands, loop.getInductionVar());
  if (failed(made))
    return failure();
  SmallVector<Value> yields;
  for (auto [i, value] : llvm::enumerate(*made))
    for (Tensor tensor : tensorsOf(inserted(t, stackFrom(loop.getRegionIterArgs(), i), value, nullptr, forms[i])))
      yields.push_back(tensor.value);
  inside.create<scf::YieldOp>(op.loc, yields);
  for (size_t i = 0; i < forms.size(); ++i)
    (void)give(op, sequenceOf(stackFrom(loop.getResults(), i)), i);
  return success();
}

LogicalResult lowerMap(Op &op) {
  auto body = subgraphOf(op, "body", op.inputCount(), op.outputCount());
  if (failed(body))
    return failure();
  for (unsigned i = 0; i < op.inputCount(); ++i)
    if (given(op, i).stacked)
      return mapStacks(op, **body);
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
} // namespace

void register_sequence_map(Registry &registry) {
  registry.onOp("SequenceMap", {17}, "input_sequence[_*] additional_inputs[_*]", lowerMap);
}

} // namespace sinter
