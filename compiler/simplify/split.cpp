// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part takes constants along that it reads, whoever reads them too. Types of its inputs are what the file says of
// them, else what conversion knows.
#include "simplify/split.h"

#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

/// Main graph's values by name.
struct MainValues {
  explicit MainValues(const onnx::GraphProto &graph) {
    for (const onnx::ValueInfoProto &input : graph.input())
      inputs.insert(input.name());
    for (const onnx::TensorProto &tensor : graph.initializer())
      constants.insert(tensor.name());
    for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
      constants.insert(tensor.values().name());
    for (int n = 0; n < graph.node_size(); ++n)
      for (const std::string &output : graph.node(n).output())
        if (!output.empty())
          makers[output] = n;
    for (const auto *values : {&graph.input(), &graph.output(), &graph.value_info()})
      for (const onnx::ValueInfoProto &value : *values)
        if (value.has_type())
          types.try_emplace(value.name(), &value);
  }

  llvm::StringSet<> inputs, constants;
  StringMap<int> makers;
  StringMap<const onnx::ValueInfoProto *> types;
};

onnx::ValueInfoProto infoOf(const std::string &name, const MainValues &values, const ValueFacts &facts) {
  onnx::ValueInfoProto info;
  if (const onnx::ValueInfoProto *stated = values.types.lookup(name))
    info = *stated;
  info.set_name(name);
  const ValueFact *fact = facts.find(name);
  if (!fact || (info.has_type() && !info.type().has_tensor_type()))
    return info;
  auto &type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(static_cast<int>(fact->element));
  type.clear_shape();
  type.mutable_shape();
  for (const SizeFact &size : fact->dims) {
    auto &dim = *type.mutable_shape()->add_dim();
    if (size.number)
      dim.set_dim_value(*size.number);
    else if (size.isNamed)
      dim.set_dim_param(size.text);
  }
  return info;
}

void collectNames(const onnx::GraphProto &graph, bool isMain, llvm::StringSet<> &names) {
  for (const onnx::NodeProto &node : graph.node()) {
    if (!isMain)
      for (const std::string &output : node.output())
        names.insert(output);
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        collectNames(attribute.g(), false, names);
      for (const onnx::GraphProto &inner : attribute.graphs())
        collectNames(inner, false, names);
    }
  }
}
} // namespace

bool canCutAt(const onnx::ModelProto &model, ArrayRef<std::string> tensors, Diagnostics &diagnostics) {
  MainValues values(model.graph());
  llvm::StringSet<> inner;
  collectNames(model.graph(), true, inner);
  for (const onnx::FunctionProto &function : model.functions())
    for (const onnx::NodeProto &node : function.node())
      for (const std::string &output : node.output())
        inner.insert(output);
  bool good = true;
  for (const std::string &name : tensors) {
    if (values.makers.contains(name))
      continue;
    good = false;
    if (inner.contains(name)) {
      diagnostics.report({Code::TensorInSubgraph,
                          "'" + name + "' is made within a subgraph or a function",
                          {},
                          "cut before or behind the node that holds it"});
      continue;
    }
    if (values.inputs.contains(name) || values.constants.contains(name)) {
      diagnostics.report({Code::UnknownTensor,
                          "'" + name + "' is " + (values.constants.contains(name) ? "a constant" : "an input") +
                              ": there is nothing before it",
                          {},
                          "name a tensor that a node makes"});
      continue;
    }
    StringRef closest;
    unsigned least = UINT_MAX;
    for (const auto &maker : values.makers)
      if (unsigned distance = StringRef(name).edit_distance(maker.getKey(), true, least); distance < least) {
        least = distance;
        closest = maker.getKey();
      }
    diagnostics.report({Code::UnknownTensor,
                        "no node makes a tensor '" + name + "'",
                        {},
                        closest.empty() || least > name.size() / 2 ? "" : "did you mean '" + closest.str() + "'?"});
  }
  return good;
}

std::optional<onnx::ModelProto> partOf(const onnx::ModelProto &model, llvm::function_ref<bool(int)> isKept,
                                       const ValueFacts &facts, Diagnostics &diagnostics) {
  const onnx::GraphProto &graph = model.graph();
  MainValues values(graph);
  llvm::StringSet<> read, needed; // by the part; by others
  for (const onnx::ValueInfoProto &output : graph.output())
    needed.insert(output.name());
  for (int n = 0; n < graph.node_size(); ++n)
    forEachRead(graph.node(n), [&, kept = isKept(n)](const std::string &name) { (kept ? read : needed).insert(name); });

  onnx::ModelProto part;
  part.set_ir_version(std::max<int64_t>(model.ir_version(), 4)); // before it constants had to be inputs
  *part.mutable_opset_import() = model.opset_import();
  *part.mutable_functions() = model.functions();
  *part.mutable_metadata_props() = model.metadata_props();
  part.set_producer_name(model.producer_name());
  part.set_producer_version(model.producer_version());
  part.set_domain(model.domain());
  part.set_model_version(model.model_version());
  part.set_doc_string(model.doc_string());
  onnx::GraphProto &to = *part.mutable_graph();
  to.set_name(graph.name());
  to.set_doc_string(graph.doc_string());
  llvm::StringSet<> given;
  bool good = true;
  auto addInput = [&](const std::string &name) {
    if (values.constants.contains(name) || !given.insert(name).second)
      return;
    *to.add_input() = infoOf(name, values, facts);
    if (to.input(to.input_size() - 1).has_type())
      return;
    good = false;
    diagnostics.report({Code::InvalidType,
                        "the type of '" + name + "' is not known, so it cannot be an input of a part",
                        {},
                        "save the model with inferred shapes, or cut elsewhere"});
  };
  for (const onnx::ValueInfoProto &input : graph.input())
    if (read.contains(input.name()))
      addInput(input.name());
  for (int n = 0; n < graph.node_size(); ++n)
    if (!isKept(n))
      for (const std::string &output : graph.node(n).output())
        if (!output.empty() && read.contains(output))
          addInput(output);
  for (const onnx::TensorProto &tensor : graph.initializer())
    if (read.contains(tensor.name()))
      *to.add_initializer() = tensor;
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    if (read.contains(tensor.values().name()))
      *to.add_sparse_initializer() = tensor;
  llvm::StringSet<> made;
  for (int n = 0; n < graph.node_size(); ++n) {
    if (!isKept(n))
      continue;
    *to.add_node() = graph.node(n);
    for (const std::string &output : graph.node(n).output())
      made.insert(output);
  }
  llvm::StringSet<> listed;
  for (const onnx::ValueInfoProto &output : graph.output()) // in the model's order, then in that of the nodes
    if (made.contains(output.name()) && listed.insert(output.name()).second)
      *to.add_output() = output;
  for (const onnx::NodeProto &node : to.node())
    for (const std::string &output : node.output())
      if (!output.empty() && needed.contains(output) && listed.insert(output).second)
        *to.add_output() = infoOf(output, values, facts);
  for (const onnx::ValueInfoProto &value : graph.value_info())
    if (made.contains(value.name()) && !listed.contains(value.name()))
      *to.add_value_info() = value;
  for (const onnx::TensorAnnotation &annotation : graph.quantization_annotation())
    if (made.contains(annotation.tensor_name()) || read.contains(annotation.tensor_name()))
      *to.add_quantization_annotation() = annotation;
  return good ? std::optional(std::move(part)) : std::nullopt;
}

std::optional<Split> splitAt(const onnx::ModelProto &model, ArrayRef<std::string> tensors, const ValueFacts &facts,
                             Diagnostics &diagnostics) {
  const onnx::GraphProto &graph = model.graph();
  if (!canCutAt(model, tensors, diagnostics))
    return std::nullopt;
  llvm::StringSet<> needed;
  for (const std::string &name : tensors)
    needed.insert(name);
  std::vector<bool> isFirst(static_cast<size_t>(graph.node_size()));
  for (int n = graph.node_size(); n-- > 0;) {
    const onnx::NodeProto &node = graph.node(n);
    isFirst[static_cast<size_t>(n)] =
        llvm::any_of(node.output(), [&](const std::string &output) { return needed.contains(output); });
    if (isFirst[static_cast<size_t>(n)])
      forEachRead(node, [&](const std::string &name) { needed.insert(name); });
  }
  if (llvm::all_of(isFirst, [](bool first) { return first; })) {
    diagnostics.report({Code::UnknownTensor,
                        "behind '" + tensors.front() + "' nothing is left: the first part would be the whole model",
                        {},
                        "name a tensor that other nodes read"});
    return std::nullopt;
  }
  Split split;
  auto first = partOf(model, [&](int n) { return bool(isFirst[static_cast<size_t>(n)]); }, facts, diagnostics);
  auto second = partOf(model, [&](int n) { return !isFirst[static_cast<size_t>(n)]; }, facts, diagnostics);
  if (!first || !second)
    return std::nullopt;
  llvm::StringSet<> ofFirst;
  for (const onnx::ValueInfoProto &output : first->graph().output())
    ofFirst.insert(output.name());
  for (const std::string &name : tensors)
    if (!ofFirst.contains(name)) // nobody reads it
      first->mutable_graph()->add_output()->set_name(name);
  for (const onnx::ValueInfoProto &input : second->graph().input())
    if (ofFirst.contains(input.name()) && !is_contained(tensors, input.name()))
      split.crossing.push_back(input.name());
  split.first = std::move(*first);
  split.second = std::move(*second);
  return split;
}

} // namespace sinter::simplify
