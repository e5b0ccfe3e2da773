// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are float32: float_values.h. Which operators take the narrow type follows from the schemas; others get
// casts around them.
#include "quantize/half.h"

#include "quantize/float_values.h"
#include "quantize/graph_edit.h"
#include "quantize/narrow.h"
#include "quantize/own_names.h"

using namespace llvm;

namespace sinter::quantize {
namespace {
class Converter {
public:
  Converter(onnx::ModelProto &model, int type, OutsideWeights *outside)
      : edit(model, outside), type(type),
        typeText(type == onnx::TensorProto::FLOAT16 ? "tensor(float16)" : "tensor(bfloat16)"), floats(model) {}

  HalfReport run() {
    keepOwnFloats();
    convertGraph(edit.graph, /*isMain=*/true);
    edit.index();
    edit.dropUnread();
    return report;
  }

private:
  /// Whether an operator takes (or gives) the narrow type where it has float32 now.
  bool takesHalf(const OperatorSchema *schema, const SchemaParameter *parameter) const {
    if (!schema || !parameter)
      return false;
    const SchemaConstraint *constraint = schema->constraint(parameter->type);
    return constraint && constraint->allows(typeText);
  }
  /// All of an operator's float operands and results are narrow, or none.
  bool takesHalf(const onnx::NodeProto &node) const {
    const OperatorSchema *schema = floats.schemaOf(node);
    if (attributeOf(node, "sparse_value"))
      return false;
    // In QuantizeLinear's opsets before 19 and the like x and scale have types of their own.
    for (int i = 0; i < node.input_size(); ++i)
      if (floats.contains(node.input(i)) && !isOwnFloat(node, i) &&
          !takesHalf(schema, schema ? schema->input(static_cast<size_t>(i)) : nullptr))
        return false;
    for (int o = 0; o < node.output_size(); ++o)
      if (floats.contains(node.output(o)) &&
          !takesHalf(schema, schema ? schema->output(static_cast<size_t>(o)) : nullptr))
        return false;
    return schema != nullptr;
  }
  /// Operands that are float32 whatever the others are: scales of Resize.
  bool isOwnFloat(const onnx::NodeProto &node, int input) const {
    const OperatorSchema *schema = floats.schemaOf(node);
    const SchemaParameter *parameter = schema ? schema->input(static_cast<size_t>(input)) : nullptr;
    return parameter && input > 0 && parameter->type == floatType;
  }

  /// Constants among these keep their bits.
  void keepOwnFloats() {
    for (onnx::NodeProto &node : *edit.graph.mutable_node())
      for (int i = 0; i < node.input_size(); ++i)
        if (const onnx::TensorProto *tensor = edit.constant(node.input(i)); tensor && isOwnFloat(node, i)) {
          onnx::TensorProto copy = *tensor;
          copy.set_name(node.input(i) + "_float");
          node.set_input(i, edit.addConstant(std::move(copy)));
          kept.insert(node.input(i));
        }
  }

  void narrow(onnx::TensorProto &tensor) {
    if (tensor.data_type() != onnx::TensorProto::FLOAT)
      return;
    const auto &listed = tensor.float_data();
    std::optional<StringRef> raw = edit.bytes(tensor);
    if (!raw)
      raw =
          StringRef(reinterpret_cast<const char *>(listed.data()), static_cast<size_t>(listed.size()) * sizeof(float));
    if (OutsideWeights::sizeOf(tensor) != raw->size())
      return;
    std::string bytes(raw->size() / 2, '\0');
    report.clipped += (type == onnx::TensorProto::FLOAT16 ? toFloat16 : toBFloat16)(*raw, bytes.data());
    tensor.clear_float_data();
    tensor.clear_external_data();
    tensor.clear_data_location();
    tensor.set_data_type(type);
    tensor.set_raw_data(std::move(bytes));
    edit.release();
    ++report.tensors;
  }
  onnx::NodeProto cast(const std::string &from, const std::string &to, int element) {
    onnx::NodeProto node = makeNode("Cast", {from}, {to}, to + "_Cast");
    setInteger(node, "to", element);
    ++report.casts;
    return node;
  }
  void narrowType(onnx::ValueInfoProto &value) {
    if (value.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT)
      value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
  }

  void convertGraph(onnx::GraphProto &graph, bool isMain);
  void convertNode(onnx::NodeProto &node, std::vector<onnx::NodeProto> &out);

  GraphEdit edit;
  int type;
  const char *typeText;
  FloatValues floats;     ///< as the model is
  llvm::StringSet<> kept; ///< constants that stay so
  HalfReport report;
};

void Converter::convertNode(onnx::NodeProto &node, std::vector<onnx::NodeProto> &out) {
  for (onnx::AttributeProto &attribute : *node.mutable_attribute())
    if (attribute.has_g())
      convertGraph(*attribute.mutable_g(), /*isMain=*/false);
  bool hasBody = llvm::any_of(node.attribute(), [](const auto &attribute) { return attribute.has_g(); });
  if (hasBody) {
    out.push_back(node);
    return;
  }
  bool isHalf = takesHalf(node);
  if (isHalf) {
    if (std::optional<onnx::TensorProto> constant = constantOf(node)) { // value_floats has no narrow form
      node.clear_attribute();
      setTensor(node, "value", *constant);
    }
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.has_t())
        narrow(*attribute.mutable_t());
      bool isType = attribute.name() == "to" || attribute.name() == "dtype" || attribute.name() == "output_dtype";
      if (isType && attribute.i() == onnx::TensorProto::FLOAT)
        attribute.set_i(type);
    }
    if (isStandard(node, "ConstantOfShape") && !attributeOf(node, "value")) {
      setTensor(node, "value", rawTensor("", type, {1}, std::string(2, '\0')));
    }
  }
  for (int i = 0; i < node.input_size(); ++i) {
    if (!floats.contains(node.input(i)) || (isHalf && !isOwnFloat(node, i)))
      continue;
    std::string wide = edit.freshName(node.input(i) + "_float");
    out.push_back(cast(node.input(i), wide, onnx::TensorProto::FLOAT));
    node.set_input(i, wide);
  }
  std::vector<onnx::NodeProto> behind;
  for (int o = 0; o < node.output_size() && !isHalf; ++o)
    if (floats.contains(node.output(o))) {
      std::string wide = edit.freshName(node.output(o) + "_float");
      behind.push_back(cast(wide, node.output(o), type));
      node.set_output(o, wide);
    }
  out.push_back(node);
  for (onnx::NodeProto &after : behind)
    out.push_back(std::move(after));
}

void Converter::convertGraph(onnx::GraphProto &graph, bool isMain) {
  std::vector<onnx::NodeProto> nodes;
  StringMap<std::string> renamed; // the main graph's inputs, outputs
  llvm::StringSet<> constants;
  for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
    if (!kept.contains(tensor.name()))
      narrow(tensor);
    constants.insert(tensor.name());
  }
  for (onnx::ValueInfoProto &value : *graph.mutable_value_info())
    narrowType(value);
  for (auto *list : {graph.mutable_input(), graph.mutable_output()})
    for (onnx::ValueInfoProto &value : *list) {
      bool isEdge = isMain && !constants.contains(value.name());
      if (!isEdge)
        narrowType(value);
      else if (value.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT)
        renamed[value.name()] = edit.freshName(value.name() + "_half");
    }
  for (auto &[name, half] : renamed)
    floats.insert(half);
  if (isMain)
    for (const onnx::ValueInfoProto &input : graph.input())
      if (auto found = renamed.find(input.name()); found != renamed.end())
        nodes.push_back(cast(input.name(), found->second, type));
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    onnx::NodeProto changed = node;
    onnx::GraphProto holder; // subgraphs read values of the main graph by name
    *holder.add_node() = std::move(changed);
    forEachGraph(holder, [&](onnx::GraphProto &any) {
      for (onnx::NodeProto &inner : *any.mutable_node()) {
        for (std::string &input : *inner.mutable_input())
          if (auto found = renamed.find(input); found != renamed.end())
            input = found->second;
        for (std::string &output : *inner.mutable_output())
          if (auto found = renamed.find(output); &any == &holder && found != renamed.end())
            output = found->second;
      }
      if (&any != &holder)
        for (onnx::ValueInfoProto &output : *any.mutable_output())
          if (auto found = renamed.find(output.name()); found != renamed.end())
            output.set_name(found->second);
    });
    convertNode(*holder.mutable_node(0), nodes);
  }
  if (isMain)
    for (const onnx::ValueInfoProto &output : graph.output())
      if (auto found = renamed.find(output.name()); found != renamed.end())
        nodes.push_back(cast(found->second, output.name(), onnx::TensorProto::FLOAT));
  graph.clear_node();
  for (onnx::NodeProto &node : nodes)
    *graph.add_node() = std::move(node);
}
} // namespace

HalfReport convertToHalf(onnx::ModelProto &model, int type, OutsideWeights *outside) {
  giveOwnNames(model);
  return Converter(model, type, outside).run();
}

} // namespace sinter::quantize
