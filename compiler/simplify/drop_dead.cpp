// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes, initializers and optional outputs that nothing reads, in subgraphs too.
#include "simplify/work.h"

#include "frontend/schema.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

/// An output that may be left out.
bool isOptional(const onnx::NodeProto &node, int output, int64_t opset) {
  if (!canonicalDomain(node.domain()).empty())
    return false;
  const OperatorSchema *schema = findSchema("", node.op_type(), opset);
  const SchemaParameter *parameter = schema ? schema->output(static_cast<size_t>(output)) : nullptr;
  return parameter && parameter->option == SchemaParameter::Optional;
}

class DeadDropper {
public:
  explicit DeadDropper(int64_t opset) : opset(opset) {}

  int64_t visit(onnx::GraphProto &graph) {
    llvm::StringSet<> needed;
    for (const onnx::ValueInfoProto &output : graph.output())
      needed.insert(output.name());
    int64_t dropped = 0;
    std::vector<bool> isKept(static_cast<size_t>(graph.node_size()));
    for (int n = graph.node_size(); n-- > 0;) {
      onnx::NodeProto &node = *graph.mutable_node(n);
      isKept[static_cast<size_t>(n)] = node.output_size() == 0 || llvm::any_of(node.output(), [&](const auto &output) {
                                         return !output.empty() && needed.contains(output);
                                       });
      if (!isKept[static_cast<size_t>(n)])
        continue;
      dropped += dropOutputs(node, needed);
      for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
        if (attribute.has_g())
          dropped += visit(*attribute.mutable_g());
        for (onnx::GraphProto &inner : *attribute.mutable_graphs())
          dropped += visit(inner);
      }
      forEachRead(node, [&](const std::string &read) { needed.insert(read); });
    }
    google::protobuf::RepeatedPtrField<onnx::NodeProto> kept;
    for (auto [n, node] : enumerate(*graph.mutable_node())) {
      if (isKept[n])
        *kept.Add() = std::move(node);
      else
        ++dropped;
    }
    graph.mutable_node()->Swap(&kept);
    google::protobuf::RepeatedPtrField<onnx::TensorProto> tensors;
    for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
      if (needed.contains(tensor.name()))
        *tensors.Add() = std::move(tensor);
      else
        ++dropped;
    }
    graph.mutable_initializer()->Swap(&tensors);
    google::protobuf::RepeatedPtrField<onnx::SparseTensorProto> sparse;
    for (onnx::SparseTensorProto &tensor : *graph.mutable_sparse_initializer())
      if (needed.contains(tensor.values().name()))
        *sparse.Add() = std::move(tensor);
    graph.mutable_sparse_initializer()->Swap(&sparse);
    return dropped;
  }

private:
  int64_t dropOutputs(onnx::NodeProto &node, const llvm::StringSet<> &needed) const {
    int64_t dropped = 0;
    for (int i = 0; i < node.output_size(); ++i)
      if (!node.output(i).empty() && !needed.contains(node.output(i)) && isOptional(node, i, opset)) {
        node.set_output(i, "");
        ++dropped;
      }
    while (node.output_size() > 1 && node.output(node.output_size() - 1).empty())
      node.mutable_output()->RemoveLast();
    return dropped;
  }

  int64_t opset;
};
} // namespace

int64_t dropDead(Work &work) { return DeadDropper(work.opset).visit(work.edit.graph); }

} // namespace sinter::simplify
