// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that say shapes and that nodes compute, where the sizes of input and result say the same as a list of
// numbers: Reshape keeps a dim by 0 and infers one by -1, Expand keeps one by 1, Slice goes to the end by the largest
// number.
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

bool isComputedOperand(const Work &work, const onnx::NodeProto &node, int input) {
  return node.input_size() > input && !node.input(input).empty() && !work.edit.constant(node.input(input));
}

bool settleReshape(Work &work, onnx::NodeProto &node) {
  auto from = work.dims(node.input(0)), to = work.dims(node.output(0));
  if (!isComputedOperand(work, node, 1) || !from || !to)
    return false;
  std::optional<std::vector<int64_t>> operand = reshapeOperand(*from, *to);
  if (!operand)
    return false;
  work.setIntegers(node, 1, *operand);
  quantize::removeAttribute(node, "allowzero"); // what is 0 there is a dim that stays
  return true;
}

bool settleExpand(Work &work, onnx::NodeProto &node) {
  auto from = work.dims(node.input(0)), to = work.dims(node.output(0));
  if (!isComputedOperand(work, node, 1) || !from || !to || from->size() > to->size())
    return false;
  std::vector<int64_t> operand;
  size_t added = to->size() - from->size();
  for (size_t i = 0; i < to->size(); ++i) {
    if ((*to)[i].number)
      operand.push_back(*(*to)[i].number);
    else if (i >= added && (*from)[i - added] == (*to)[i])
      operand.push_back(1);
    else
      return false;
  }
  work.setIntegers(node, 1, operand);
  return true;
}

/// An element of `ends` that is the dim itself, or known to be behind it.
bool settleSlice(Work &work, onnx::NodeProto &node) {
  const ValueFact *ends = node.input_size() > 2 ? work.facts.find(node.input(2)) : nullptr;
  auto from = work.dims(node.input(0));
  if (!isComputedOperand(work, node, 2) || !ends || !ends->elements || !from)
    return false;
  std::vector<int64_t> axes, steps;
  for (size_t i = 0; i < ends->elements->size(); ++i) {
    axes.push_back(static_cast<int64_t>(i));
    steps.push_back(1);
  }
  for (auto [input, list] : {std::pair(3, &axes), std::pair(4, &steps)})
    if (node.input_size() > input && !node.input(input).empty()) {
      auto known = work.integers(node.input(input));
      if (!known || known->size() != list->size())
        return false;
      *list = *known;
    }
  std::vector<int64_t> operand;
  auto rank = static_cast<int64_t>(from->size());
  for (auto [i, end] : enumerate(*ends->elements)) {
    int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank)
      return false;
    if (end.number)
      operand.push_back(*end.number);
    else if (steps[i] > 0 && end == (*from)[static_cast<size_t>(axis)])
      operand.push_back(work.element(node.input(2)) == ElementType::Int32 ? INT32_MAX : INT64_MAX);
    else
      return false;
  }
  if (work.element(node.input(2)) != ElementType::Int64)
    return false; // starts, axes and steps are of one type
  work.setIntegers(node, 2, operand);
  return true;
}
} // namespace

int64_t settleShapeOperands(Work &work) {
  int64_t settled = 0;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
    settled += (isStandard(node, "Reshape") && work.opset >= 5 && settleReshape(work, node)) ||
               (isStandard(node, "Expand") && settleExpand(work, node)) ||
               (isStandard(node, "Slice") && work.opset >= 10 && settleSlice(work, node));
  return settled;
}

} // namespace sinter::simplify
