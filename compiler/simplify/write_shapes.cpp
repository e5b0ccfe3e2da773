// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that are numbers are written as numbers, what follows from named dims as text. The edges of the model keep the
// names that they have.
#include "simplify/write_shapes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

void writeDim(onnx::TensorShapeProto::Dimension &dim, const SizeFact &fact) {
  if (fact.number)
    dim.set_dim_value(*fact.number);
  else if (fact.isNamed)
    dim.set_dim_param(fact.text);
}

/// An input's or output's. Where sizes of run time decide, the model's word for them stays.
void settleEdge(onnx::ValueInfoProto &value, const ValueFacts &facts) {
  const ValueFact *fact = facts.find(value.name());
  if (!fact || (value.has_type() && !value.type().has_tensor_type()))
    return;
  auto &type = *value.mutable_type()->mutable_tensor_type();
  if (!type.elem_type())
    type.set_elem_type(static_cast<int>(fact->element));
  bool isKnown = type.has_shape() && type.shape().dim_size() == static_cast<int>(fact->dims.size());
  if (!isKnown) {
    type.clear_shape();
    type.mutable_shape();
  }
  for (auto [i, size] : enumerate(fact->dims)) {
    auto index = static_cast<int>(i);
    onnx::TensorShapeProto::Dimension &dim =
        isKnown ? *type.mutable_shape()->mutable_dim(index) : *type.mutable_shape()->add_dim();
    if (size.number || dim.value_case() == onnx::TensorShapeProto::Dimension::VALUE_NOT_SET)
      writeDim(dim, size);
  }
}
} // namespace

int64_t writeShapes(onnx::GraphProto &graph, const ValueFacts &facts) {
  llvm::StringSet<> edges, made;
  for (auto *values : {graph.mutable_input(), graph.mutable_output()})
    for (onnx::ValueInfoProto &value : *values) {
      settleEdge(value, facts);
      edges.insert(value.name());
    }
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      if (!output.empty() && !edges.contains(output))
        made.insert(output);
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> kept;
  for (onnx::ValueInfoProto &value : *graph.mutable_value_info())
    if (made.contains(value.name()) && !facts.find(value.name()))
      *kept.Add() = std::move(value);
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &output : node.output()) {
      const ValueFact *fact = made.contains(output) ? facts.find(output) : nullptr;
      if (!fact)
        continue;
      onnx::ValueInfoProto &value = *kept.Add();
      value.set_name(output);
      auto &type = *value.mutable_type()->mutable_tensor_type();
      type.set_elem_type(static_cast<int>(fact->element));
      type.mutable_shape();
      for (const SizeFact &size : fact->dims)
        writeDim(*type.mutable_shape()->add_dim(), size);
    }
  graph.mutable_value_info()->Swap(&kept);
  google::protobuf::RepeatedPtrField<onnx::TensorAnnotation> annotations;
  for (onnx::TensorAnnotation &annotation : *graph.mutable_quantization_annotation())
    if (made.contains(annotation.tensor_name()) || edges.contains(annotation.tensor_name()) ||
        llvm::any_of(graph.initializer(), [&](const auto &t) { return t.name() == annotation.tensor_name(); }))
      *annotations.Add() = std::move(annotation);
  graph.mutable_quantization_annotation()->Swap(&annotations);
  return graph.value_info_size();
}

} // namespace sinter::simplify
