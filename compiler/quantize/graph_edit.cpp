// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices over the main graph, and small things that rewrites do to nodes.
#include "quantize/graph_edit.h"

#include "frontend/schema.h"
#include "quantize/model_file.h"

using namespace llvm;

namespace sinter::quantize {

void GraphEdit::index() {
  makers.clear();
  constants.clear();
  readersOf.clear();
  names.clear();
  forEachGraph(graph, [&](onnx::GraphProto &any) {
    for (const onnx::ValueInfoProto &input : any.input())
      names.insert(input.name());
    for (const onnx::TensorProto &tensor : any.initializer())
      names.insert(tensor.name());
    for (const onnx::NodeProto &node : any.node()) {
      for (const std::string &output : node.output())
        names.insert(output);
      // A subgraph may read values of the graphs around it.
      if (&any != &graph)
        for (const std::string &input : node.input())
          readersOf[input].push_back({-1, 0});
    }
    if (&any != &graph)
      for (const onnx::ValueInfoProto &output : any.output())
        readersOf[output.name()].push_back({-1, 0});
  });
  for (int i = 0; i < graph.initializer_size(); ++i)
    constants[graph.initializer(i).name()] = i;
  for (int n = 0; n < graph.node_size(); ++n) {
    for (const std::string &output : graph.node(n).output())
      makers[output] = n;
    for (int i = 0; i < graph.node(n).input_size(); ++i)
      readersOf[graph.node(n).input(i)].push_back({n, i});
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    readersOf[output.name()].push_back({-1, 0});
}

int GraphEdit::maker(StringRef value) const {
  auto found = makers.find(value);
  return found == makers.end() ? -1 : found->second;
}

ArrayRef<Reader> GraphEdit::readers(StringRef value) const {
  auto found = readersOf.find(value);
  return found == readersOf.end() ? ArrayRef<Reader>() : ArrayRef<Reader>(found->second);
}

onnx::TensorProto *GraphEdit::constant(StringRef value) {
  auto found = constants.find(value);
  return found == constants.end() ? nullptr : graph.mutable_initializer(found->second);
}

std::optional<StringRef> GraphEdit::bytes(const onnx::TensorProto &tensor) const {
  if (OutsideWeights::has(tensor))
    return outside ? outside->read(tensor) : std::nullopt;
  return tensor.has_raw_data() ? std::optional<StringRef>(tensor.raw_data()) : std::nullopt;
}

std::optional<FloatTensor> GraphEdit::floats(StringRef value) const {
  const onnx::TensorProto *tensor = constant(value);
  if (!tensor || !OutsideWeights::has(*tensor) || tensor->data_type() != onnx::TensorProto::FLOAT)
    return tensor ? floatsOf(*tensor) : std::nullopt;
  std::optional<StringRef> raw = bytes(*tensor);
  return raw ? std::optional(FloatTensor{{tensor->dims().begin(), tensor->dims().end()}, floatsIn(*raw)})
             : std::nullopt;
}

std::string GraphEdit::freshName(const Twine &wanted) {
  std::string name = wanted.str();
  for (int i = 2; !names.insert(name).second; ++i)
    name = wanted.str() + "_" + std::to_string(i);
  return name;
}

std::string GraphEdit::addConstant(onnx::TensorProto tensor) {
  std::string name = freshName(tensor.name());
  tensor.set_name(name);
  constants[name] = graph.initializer_size();
  *graph.add_initializer() = std::move(tensor);
  return name;
}

void GraphEdit::setConstant(onnx::NodeProto &node, int input, onnx::TensorProto tensor) {
  while (node.input_size() <= input)
    node.add_input("");
  const std::string &name = node.input(input);
  onnx::TensorProto *old = constant(name);
  if (old && readers(name).size() == 1) {
    tensor.set_name(name);
    *old = std::move(tensor);
  } else {
    node.set_input(input, addConstant(std::move(tensor)));
  }
}

void GraphEdit::setNodes(std::vector<onnx::NodeProto> nodes) {
  graph.clear_node();
  llvm::StringSet<> taken;
  for (onnx::NodeProto &node : nodes) {
    std::string name = node.name();
    for (int i = 2; !name.empty() && !taken.insert(name).second; ++i)
      name = node.name() + "_" + std::to_string(i);
    node.set_name(name);
    *graph.add_node() = std::move(node);
  }
  index();
}

void GraphEdit::dropUnread() {
  llvm::StringSet<> dropped;
  google::protobuf::RepeatedPtrField<onnx::TensorProto> kept;
  for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
    if (readers(tensor.name()).empty())
      dropped.insert(tensor.name());
    else
      *kept.Add() = std::move(tensor);
  }
  graph.mutable_initializer()->Swap(&kept);
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> inputs;
  for (onnx::ValueInfoProto &input : *graph.mutable_input())
    if (!dropped.contains(input.name()))
      *inputs.Add() = std::move(input);
  graph.mutable_input()->Swap(&inputs);
  index();
}

std::string nameOf(const onnx::NodeProto &node) {
  return !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
}

bool isStandard(const onnx::NodeProto &node, StringRef type) {
  return node.op_type() == type && canonicalDomain(node.domain()).empty();
}

const onnx::AttributeProto *attributeOf(const onnx::NodeProto &node, StringRef name) {
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

int64_t integerOf(const onnx::NodeProto &node, StringRef name, int64_t otherwise) {
  const onnx::AttributeProto *attribute = attributeOf(node, name);
  return attribute ? attribute->i() : otherwise;
}

float floatOf(const onnx::NodeProto &node, StringRef name, float otherwise) {
  const onnx::AttributeProto *attribute = attributeOf(node, name);
  return attribute ? attribute->f() : otherwise;
}

StringRef stringOf(const onnx::NodeProto &node, StringRef name) {
  const onnx::AttributeProto *attribute = attributeOf(node, name);
  return attribute ? StringRef(attribute->s()) : StringRef();
}

void removeAttribute(onnx::NodeProto &node, StringRef name) {
  for (int i = node.attribute_size(); i-- > 0;)
    if (node.attribute(i).name() == name)
      node.mutable_attribute()->DeleteSubrange(i, 1);
}

void setInteger(onnx::NodeProto &node, StringRef name, int64_t value) {
  removeAttribute(node, name);
  onnx::AttributeProto *attribute = node.add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}

void setTensor(onnx::NodeProto &node, StringRef name, onnx::TensorProto value) {
  removeAttribute(node, name);
  onnx::AttributeProto *attribute = node.add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(onnx::AttributeProto::TENSOR);
  *attribute->mutable_t() = std::move(value);
}

std::optional<onnx::TensorProto> constantOf(const onnx::NodeProto &node) {
  if (!isStandard(node, "Constant"))
    return std::nullopt;
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    StringRef name = attribute.name();
    onnx::TensorProto tensor;
    if (name == "value" && attribute.has_t())
      return attribute.t();
    if (name == "value_float" && attribute.has_f())
      return floatTensor("", {}, {attribute.f()});
    if (name == "value_floats")
      return floatTensor("", {attribute.floats_size()}, {attribute.floats().data(), size_t(attribute.floats_size())});
    if (name == "value_ints")
      return int64Tensor("", ArrayRef(attribute.ints().data(), size_t(attribute.ints_size())));
    if (name == "value_int" && attribute.has_i()) {
      tensor = int64Tensor("", {attribute.i()});
      tensor.clear_dims();
      return tensor;
    }
    if (name != "value_string" && name != "value_strings")
      continue;
    tensor.set_data_type(onnx::TensorProto::STRING);
    if (name == "value_strings")
      tensor.add_dims(attribute.strings_size());
    *tensor.mutable_string_data() = attribute.strings();
    if (name == "value_string")
      tensor.add_string_data(attribute.s());
    return tensor;
  }
  return std::nullopt;
}

onnx::NodeProto makeNode(StringRef type, ArrayRef<std::string> inputs, ArrayRef<std::string> outputs, StringRef name) {
  onnx::NodeProto node;
  node.set_op_type(type.str());
  node.set_name(name.str());
  for (const std::string &input : inputs)
    node.add_input(input);
  for (const std::string &output : outputs)
    node.add_output(output);
  return node;
}

} // namespace sinter::quantize
