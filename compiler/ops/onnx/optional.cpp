// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optional, OptionalGetElement, OptionalHasElement: an optional is what it holds, and where only a call knows whether
// there is something, a flag beside it.
#include "ops/meeting.h"
#include "ops/sequences.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerOptional(Op &op) {
  if (op.inputCount())
    return give(op, op.conversion.take(op.node, 0));
  Converted nothing;
  nothing.isAbsent = true;
  return give(op, nothing);
}

LogicalResult lowerGetElement(Op &op) {
  if (given(op, 0).isAbsent)
    return op.fail(Code::ShapeMismatch, "the optional is empty");
  FailureOr<Converted> value = op.conversion.take(op.node, 0);
  if (succeeded(value) && value->present) {
    require(op, onlyElement(op.b, op.loc, value->present), "the optional has an element");
    value->present = {};
  }
  return give(op, std::move(value));
}

LogicalResult lowerHasElement(Op &op) {
  if (op.inputCount() && given(op, 0).present)
    return op.result(given(op, 0).present);
  bool has = op.inputCount() && !given(op, 0).isAbsent;
  return op.result(op.scalar(ElementType::Bool, has));
}
} // namespace

void register_optional(Registry &registry) {
  registry.onOp("Optional", {15, 28}, "input[?]", lowerOptional);
  registry.onOp("OptionalGetElement", {15, 18, 28}, "input[?]", lowerGetElement);
  registry.onOp("OptionalHasElement", {15, 18, 28}, "input[?]", lowerHasElement);
}

} // namespace sinter
