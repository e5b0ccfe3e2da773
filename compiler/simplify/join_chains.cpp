// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node behind another of its kind reads what that one reads: Transpose, Cast, and whatever only states another shape.
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

bool joinTransposes(Work &work, onnx::NodeProto &node) {
  const onnx::NodeProto *before = work.makerOf(node.input(0), "Transpose");
  const onnx::AttributeProto *first = before ? attributeOf(*before, "perm") : nullptr,
                             *second = attributeOf(node, "perm");
  if (!first || !second || first->ints_size() != second->ints_size() ||
      any_of(second->ints(), [&](int64_t i) { return i < 0 || i >= first->ints_size(); }))
    return false;
  std::vector<int64_t> both;
  for (int64_t i : second->ints())
    both.push_back(first->ints(static_cast<int>(i)));
  node.set_input(0, before->input(0));
  quantize::removeAttribute(node, "perm");
  onnx::AttributeProto *perm = node.add_attribute();
  perm->set_name("perm");
  perm->set_type(onnx::AttributeProto::INTS);
  perm->mutable_ints()->Assign(both.begin(), both.end());
  return true;
}

bool isReshaping(const Work &work, const onnx::NodeProto &node) {
  return (isStandard(node, "Transpose") && work.keepsOrder(node)) || isStandard(node, "Reshape") ||
         isStandard(node, "Flatten") || isStandard(node, "Squeeze") || isStandard(node, "Unsqueeze");
}

bool joinReshapes(Work &work, onnx::NodeProto &node) {
  int maker = work.edit.maker(node.input(0));
  if (maker < 0 || !isReshaping(work, work.edit.node(maker)) || !work.hasOneReader(node.input(0)))
    return false;
  const onnx::NodeProto &before = work.edit.node(maker);
  auto from = work.dims(before.input(0)), to = work.dims(node.output(0));
  std::optional<std::vector<int64_t>> operand = from && to ? reshapeOperand(*from, *to) : std::nullopt;
  if (!operand)
    return false;
  onnx::NodeProto joined = quantize::makeNode("Reshape", {before.input(0)}, {node.output(0)}, node.name());
  joined.set_doc_string(node.doc_string());
  work.setIntegers(joined, 1, *operand);
  node = std::move(joined);
  return true;
}

/// Each value of `from` is one of `to`, and comes out of it as it would out of `from`.
bool losesNothing(ElementType from, ElementType to) {
  auto isSignedOf = [](ElementType type) { return isInteger(type) && !isUnsignedInteger(type); };
  if (from == ElementType::Bool)
    return isInteger(to) && bitWidth(to) >= 8;
  if (isInteger(from) && isInteger(to))
    return bitWidth(to) > bitWidth(from) && (isUnsignedInteger(from) || isSignedOf(to));
  if (from == ElementType::Float16 || from == ElementType::BFloat16)
    return to == ElementType::Float || to == ElementType::Double;
  return from == ElementType::Float && to == ElementType::Double;
}

bool joinCasts(Work &work, onnx::NodeProto &node) {
  const onnx::NodeProto *before = work.makerOf(node.input(0), "Cast");
  if (!before || !losesNothing(work.element(before->input(0)), work.element(node.input(0))))
    return false;
  node.set_input(0, before->input(0));
  return true;
}
} // namespace

int64_t joinChains(Work &work) {
  int64_t joined = 0;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
    joined += (isStandard(node, "Transpose") && joinTransposes(work, node)) ||
              (isReshaping(work, node) && work.opset >= 5 && joinReshapes(work, node)) ||
              (isStandard(node, "Cast") && joinCasts(work, node));
  return joined;
}

} // namespace sinter::simplify
