// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences.h"

using namespace mlir;

namespace sinter {

Converted sequenceOf(std::vector<Converted> elements, ElementType element) {
  return {{{}, element}, std::move(elements), true, false};
}
const Converted &given(const Op &op, unsigned i) { return *op.conversion.find(op.node.getInputs()[i]); }

LogicalResult give(Op &op, FailureOr<Converted> value, unsigned output) {
  if (succeeded(value))
    op.conversion.bind(op.node.getResult(output), std::move(*value));
  return value;
}

Converted sequenceOf(const Stacked &stack) {
  Converted value = sequenceOf({}, stack.form.element);
  value.stacked = std::make_shared<const Stacked>(stack);
  return value;
}

FailureOr<Stacked> stackOf(Op &op, unsigned i) {
  const Converted &sequence = given(op, i);
  if (sequence.stacked)
    return *sequence.stacked;
  FailureOr<Form> form = stackFormOf(op, formOf(op, sequence), 0);
  if (failed(form))
    return failure();
  return *inForm(op, sequence, *form).stacked;
}

LogicalResult needElements(Op &op, const Stacked &stack) {
  return stack.form.hasElements() ? success() : op.fail(Code::ShapeMismatch, "an element of a sequence that is empty");
}

} // namespace sinter
