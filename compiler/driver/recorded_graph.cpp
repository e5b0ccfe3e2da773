// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/recorded_graph.h"

#include "driver/oracle.h"
#include "driver/standard_model.h"
#include "simplify/learn.h"
#include "simplify/write_shapes.h"

using namespace llvm;

namespace sinter {

onnx::TypeProto recordedType(const HostArray &array, bool hasSizes) {
  onnx::TypeProto type;
  onnx::TypeProto::Tensor &tensor = *type.mutable_tensor_type();
  tensor.set_elem_type(static_cast<int>(array.type));
  if (!hasSizes)
    return type;
  tensor.mutable_shape();
  for (int64_t dim : array.dims)
    tensor.mutable_shape()->add_dim()->set_dim_value(dim);
  return type;
}

namespace {
/// What onnxruntime gave may be smaller than what is known before a call.
void addValue(onnx::GraphProto &graph, const HostArray &array) {
  for (onnx::ValueInfoProto &output : *graph.mutable_output())
    if (output.name() == array.name) {
      if (!output.has_type())
        *output.mutable_type() = recordedType(array);
      return;
    }
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> kept;
  for (onnx::ValueInfoProto &value : *graph.mutable_value_info())
    if (value.name() != array.name)
      *kept.Add() = std::move(value);
  onnx::ValueInfoProto &info = *kept.Add();
  info.set_name(array.name);
  *info.mutable_type() = recordedType(array);
  graph.mutable_value_info()->Swap(&kept);
}

/// The model at the sizes of these inputs, with all types and shapes that are known then.
void fixSizes(onnx::ModelProto &model, const ModelValues &values, const CompileJob &job) {
  for (onnx::ValueInfoProto &input : *model.mutable_graph()->mutable_input()) {
    auto found = values.find(input.name());
    if (found != values.end() && (!input.has_type() || input.type().has_tensor_type()))
      *input.mutable_type() = recordedType(found->second);
  }
  simplify::LearnOptions learning;
  learning.import = job.import;
  learning.import.dims.clear();
  learning.folder = folderOf(job.model);
  simplify::Learnt learnt = simplify::learn(model, learning);
  simplify::writeShapes(*model.mutable_graph(), learnt.facts);
}

} // namespace

Expected<RecordedGraph> recordValues(const onnx::ModelProto &model, StringRef path, const ModelInfo &info,
                                     ArrayRef<HostArray> inputs, const CompileJob &job, ArrayRef<HostArray> expected) {
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging)
    return staging.takeError();
  RecordedGraph graph{model, {}};
  for (auto [array, tensor] : zip(inputs, info.inputs))
    if (tensor.part.empty()) // what is no tensor has no value here
      graph.values[tensor.value] = array;
  std::vector<std::string> names;
  for (const onnx::NodeProto &node : model.graph().node())
    for (const std::string &output : node.output())
      if (!output.empty())
        names.push_back(output);
  auto all = referenceValues(path, info, {inputs.vec()}, names, (*staging)->folder());
  if (!all)
    return all.takeError();
  for (auto [name, array] : zip(names, all->front()))
    if (array)
      graph.values[name] = std::move(*array);
  for (auto [array, tensor] : zip(expected, info.outputs))
    if (array.type != ElementType::Undefined && tensor.part.empty())
      graph.values[tensor.value] = array;
  for (auto &value : graph.values)
    value.second.name = value.getKey().str();
  fixSizes(graph.model, graph.values, job);
  for (const auto &value : graph.values)
    addValue(*graph.model.mutable_graph(), value.second);
  return graph;
}

} // namespace sinter
