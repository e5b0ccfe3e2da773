// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of bodies stand beside those around them; the node that has a body makes what this is given, and says what it
// results in, so that there is a way through it. Constants are read by no edge, nor is what nodes compute of constants
// and of dims, which exporters do by many: a page would show little else.
#include "driver/model_graph.h"

#include "codegen/report/node_names.h"
#include "driver/answer.h"
#include "driver/host_array.h"
#include "driver/quantization_answer.h"
#include "driver/quantize_report.h"
#include "driver/standard_model.h"
#include "frontend/graph.h"
#include "quantize/graph_edit.h"
#include "simplify/learn.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr int64_t mostCounted = 64 << 20; // elements of all histograms, which are a look at every weight
constexpr size_t mostWeights = 1000;

/// Appends those names that are known, of values or of strings.
template <typename Names>
void addKnown(json::Array &kept, const Names &names, const llvm::StringSet<> &known) {
  for (const auto &each : names) {
    StringRef name;
    if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::string>)
      name = each;
    else
      name = each.name();
    if (!name.empty() && known.contains(name))
      kept.push_back(utf8(name));
  }
}

json::Object describeNode(const onnx::NodeProto &node, const llvm::StringSet<> &drawn) {
  json::Array reads, makes, results;
  addKnown(reads, node.input(), drawn);
  addKnown(makes, node.output(), drawn);
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g()) {
      addKnown(makes, attribute.g().input(), drawn);
      addKnown(results, attribute.g().output(), drawn);
    }
  json::Object described{{"name", utf8(lineOfName(endOfName(nameOfNode(node))))}, // as reports have it
                         {"operator", utf8(node.op_type())},
                         {"reads", std::move(reads)},
                         {"makes", std::move(makes)}};
  if (!results.empty())
    described["results"] = std::move(results);
  return described;
}

std::string textOf(const ValueFact &fact) {
  std::string text = elementTypeName(fact.element).str() + "[";
  for (auto [i, size] : enumerate(fact.dims))
    text += (i ? "," : "") + (size.number ? std::to_string(*size.number) : size.isNamed ? size.text : "?");
  return text + "]";
}

json::Object weightOf(const onnx::TensorProto &tensor, const quantize::GraphEdit &edit, int64_t &counted) {
  HostArray form;
  form.type = static_cast<ElementType>(tensor.data_type());
  form.dims.assign(tensor.dims().begin(), tensor.dims().end());
  int64_t elements = quantize::elementsOf(form.dims);
  json::Object weight{{"name", utf8(tensor.name())},
                      {"type", describe(form.type, form.dims)},
                      {"bytes", static_cast<int64_t>(bytesOf(form.type, elements))}};
  if (form.type != ElementType::Float || counted + elements > mostCounted)
    return weight;
  counted += elements;
  if (std::optional<quantize::FloatTensor> floats = edit.floats(tensor.name()))
    weight["histogram"] = histogramOf(quantize::outlineOf(floats->values));
  return weight;
}
} // namespace

bool isModelGraph(const json::Value &said) {
  const json::Object *graph = said.getAsObject();
  if (!graph || graph->empty())
    return graph;
  auto isText = [](const json::Value &value) { return value.getAsString().has_value(); };
  auto areTexts = [&](const json::Object &node, StringRef key) {
    const json::Array *names = node.getArray(key);
    return names && all_of(*names, isText);
  };
  auto isNode = [&](const json::Value &value) {
    const json::Object *node = value.getAsObject();
    return node && node->getString("name") && node->getString("operator") && areTexts(*node, "reads") &&
           areTexts(*node, "makes") && (!node->get("results") || areTexts(*node, "results"));
  };
  auto isWeight = [](const json::Value &value) {
    const json::Object *weight = value.getAsObject();
    if (!weight || !weight->getString("name") || !weight->getString("type") || !weight->getInteger("bytes"))
      return false;
    return !weight->get("histogram") || isHistogram(weight->getObject("histogram"));
  };
  const json::Array *nodes = graph->getArray("nodes"), *weights = graph->getArray("weights");
  const json::Object *values = graph->getObject("values");
  return nodes && all_of(*nodes, isNode) && weights && all_of(*weights, isWeight) && values &&
         all_of(*values, [&](const auto &member) { return isText(member.second); });
}

json::Object modelGraph(const CompileJob &job) {
  Diagnostics unheard; // compiling has said it
  std::optional<quantize::Model> model = readStandardModel(job.import, job.model, unheard);
  if (!model)
    return {};
  llvm::StringSet<> made;
  quantize::forEachGraph(*model->proto.mutable_graph(), [&](onnx::GraphProto &graph) {
    for (const onnx::ValueInfoProto &input : graph.input())
      made.insert(input.name());
    for (const onnx::NodeProto &node : graph.node())
      if (!quantize::constantOf(node))
        made.insert(node.output().begin(), node.output().end());
  });
  json::Array nodes, weights;
  quantize::GraphEdit edit(model->proto, model->outside.get());
  std::vector<const onnx::TensorProto *> tensors;
  for (const onnx::TensorProto &tensor : model->proto.graph().initializer())
    if (tensor.dims_size() > 0 && tensor.data_type() != onnx::TensorProto::STRING &&
        quantize::OutsideWeights::sizeOf(tensor))
      tensors.push_back(&tensor);
  llvm::stable_sort(tensors, [](const onnx::TensorProto *a, const onnx::TensorProto *b) {
    return *quantize::OutsideWeights::sizeOf(*a) > *quantize::OutsideWeights::sizeOf(*b);
  });
  int64_t counted = 0;
  for (const onnx::TensorProto *tensor : ArrayRef(tensors).take_front(mostWeights))
    weights.push_back(weightOf(*tensor, edit, counted));
  model->outside->release();

  simplify::LearnOptions learning;
  learning.import = job.import;
  learning.folder = folderOf(job.model);
  simplify::boundOpenDims(model->proto, learning.import);
  simplify::Learnt learnt = simplify::learn(model->proto, learning);
  json::Object values;
  for (const auto &fact : learnt.facts.values)
    if (made.contains(fact.getKey()))
      values[utf8(fact.getKey())] = textOf(fact.second);
  llvm::StringSet<> drawn = made;
  for (const auto &fact : learnt.facts.values)
    if (fact.second.elements || fact.second.contents)
      drawn.erase(fact.getKey());
  for (const onnx::ValueInfoProto &output : model->proto.graph().output())
    drawn.insert(output.name());
  quantize::forEachGraph(*model->proto.mutable_graph(), [&](onnx::GraphProto &graph) {
    for (const onnx::NodeProto &node : graph.node())
      if (!quantize::constantOf(node))
        nodes.push_back(describeNode(node, drawn));
  });
  return json::Object{{"nodes", std::move(nodes)}, {"values", std::move(values)}, {"weights", std::move(weights)}};
}

} // namespace sinter
