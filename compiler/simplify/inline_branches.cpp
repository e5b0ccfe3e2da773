// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If with a known condition. Names are unique over all graphs (quantize/own_names.h), so that the branch's nodes move
// as they are.
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

std::optional<bool> conditionOf(const Work &work, StringRef value) {
  if (const onnx::TensorProto *tensor = work.edit.constant(value)) {
    if (tensor->has_raw_data() && tensor->raw_data().size() == 1)
      return tensor->raw_data()[0] != 0;
    if (tensor->int32_data_size() == 1)
      return tensor->int32_data(0) != 0;
    return std::nullopt;
  }
  const ValueFact *fact = work.facts.find(value);
  if (!fact || !fact->contents || fact->contents->size() != 1 || fact->element != ElementType::Bool)
    return std::nullopt;
  return fact->contents->integerAt(0) != 0;
}
} // namespace

int64_t inlineBranches(Work &work) {
  onnx::GraphProto &graph = work.edit.graph;
  std::vector<onnx::NodeProto> nodes;
  int64_t inlined = 0;
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    std::optional<bool> condition = isStandard(node, "If") ? conditionOf(work, node.input(0)) : std::nullopt;
    const onnx::AttributeProto *attribute =
        condition ? attributeOf(node, *condition ? "then_branch" : "else_branch") : nullptr;
    if (!attribute || attribute->g().output_size() != node.output_size()) {
      nodes.push_back(std::move(node));
      continue;
    }
    onnx::GraphProto branch = attribute->g();
    for (onnx::NodeProto &inner : *branch.mutable_node())
      nodes.push_back(std::move(inner));
    for (onnx::TensorProto &tensor : *branch.mutable_initializer())
      *graph.add_initializer() = std::move(tensor);
    for (onnx::SparseTensorProto &tensor : *branch.mutable_sparse_initializer())
      *graph.add_sparse_initializer() = std::move(tensor);
    for (onnx::ValueInfoProto &info : *branch.mutable_value_info())
      *graph.add_value_info() = std::move(info);
    for (int i = 0; i < node.output_size(); ++i)
      if (!node.output(i).empty())
        nodes.push_back(quantize::makeNode("Identity", {branch.output(i).name()}, {node.output(i)},
                                           quantize::nameOf(node) + "_" + std::to_string(i)));
    ++inlined;
  }
  work.edit.setNodes(std::move(nodes));
  return inlined;
}

} // namespace sinter::simplify
