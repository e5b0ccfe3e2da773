// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What changed from opset to opset, for operators whose old nodes mean something else (or nothing) later. Operators not
// named here only took in more types, or attributes whose default is the old meaning.
#include "quantize/opset.h"

#include "frontend/schema.h"
#include "quantize/graph_edit.h"

using namespace llvm;

namespace sinter::quantize {
namespace {
/// Before opset 7 operators broadcast by attributes.
constexpr int64_t oldestOpset = 7;

class Raiser {
public:
  Raiser(onnx::ModelProto &model, Diagnostics &diagnostics) : edit(model), diagnostics(diagnostics) {
    auto learn = [&](const onnx::ValueInfoProto &value) {
      if (value.type().has_tensor_type() && value.type().tensor_type().has_shape())
        ranks[value.name()] = value.type().tensor_type().shape().dim_size();
    };
    for (const auto *values : {&edit.graph.input(), &edit.graph.output(), &edit.graph.value_info()})
      for (const onnx::ValueInfoProto &value : *values)
        learn(value);
  }

  bool raise(int64_t from, int64_t to);

private:
  /// Rewrites `node` for the opset in which its operator changed; what replaces it goes to `out`.
  bool change(onnx::NodeProto node, int64_t to, std::vector<onnx::NodeProto> &out);
  bool change(onnx::NodeProto &node, StringRef type, int64_t opset, std::vector<onnx::NodeProto> &out);
  void softmax(onnx::NodeProto &node, std::vector<onnx::NodeProto> &out);
  bool refuse(const onnx::NodeProto &node, const Twine &why);

  std::string addConstant(onnx::TensorProto tensor) { return edit.addConstant(std::move(tensor)); }
  void setInput(onnx::NodeProto &node, int at, const std::string &name) {
    while (node.input_size() <= at)
      node.add_input("");
    node.set_input(at, name);
  }
  /// A list attribute becomes an input; a missing one leaves it absent.
  void listToInput(onnx::NodeProto &node, StringRef attribute, int at) {
    const onnx::AttributeProto *list = attributeOf(node, attribute);
    if (!list)
      return;
    std::vector<int64_t> values(list->ints().begin(), list->ints().end());
    setInput(node, at, addConstant(int64Tensor(nameOf(node) + "_" + attribute.str(), values)));
    removeAttribute(node, attribute);
  }
  void floatToInput(onnx::NodeProto &node, StringRef attribute, int at) {
    const onnx::AttributeProto *value = attributeOf(node, attribute);
    if (!value)
      return;
    setInput(node, at, addConstant(floatTensor(nameOf(node) + "_" + attribute.str(), {}, {value->f()})));
    removeAttribute(node, attribute);
  }
  void setString(onnx::NodeProto &node, StringRef name, StringRef value) {
    removeAttribute(node, name);
    onnx::AttributeProto *attribute = node.add_attribute();
    attribute->set_name(name.str());
    attribute->set_type(onnx::AttributeProto::STRING);
    attribute->set_s(value.str());
  }

  GraphEdit edit;
  Diagnostics &diagnostics;
  int64_t from = 0;
  StringMap<int> ranks;
};

bool Raiser::refuse(const onnx::NodeProto &node, const Twine &why) {
  diagnostics.report({Code::CannotRaiseOpset,
                      "the model must be raised from opset " + std::to_string(from) + ", and " + why.str(),
                      {nameOf(node), node.op_type(), from},
                      "export the model with opset 13 or later"});
  return false;
}

/// Up to opset 12 all dims from `axis` on were one.
void Raiser::softmax(onnx::NodeProto &node, std::vector<onnx::NodeProto> &out) {
  int64_t axis = integerOf(node, "axis", 1);
  auto known = ranks.find(node.input(0));
  if (known == ranks.end())
    known = ranks.find(node.output(0));
  if (axis == -1 || (known != ranks.end() && axis == known->second - 1)) {
    setInteger(node, "axis", -1);
    return;
  }
  std::string base = nameOf(node), flat = edit.freshName(base + "_flat"), shape = edit.freshName(base + "_shape"),
              result = edit.freshName(base + "_rows"), input = node.input(0), output = node.output(0);
  onnx::NodeProto flatten = makeNode("Flatten", {input}, {flat}, flat);
  setInteger(flatten, "axis", axis);
  out.push_back(makeNode("Shape", {input}, {shape}, shape));
  out.push_back(flatten);
  node.set_input(0, flat);
  node.set_output(0, result);
  setInteger(node, "axis", -1);
  out.push_back(node);
  node = makeNode("Reshape", {result, shape}, {output}, edit.freshName(base + "_back"));
}

bool Raiser::change(onnx::NodeProto &node, StringRef type, int64_t opset, std::vector<onnx::NodeProto> &out) {
  switch (opset) {
  case 9:
    if (type == "BatchNormalization" && integerOf(node, "spatial", 1) == 0)
      return refuse(node, "statistics per position are gone since 9");
    if (type == "Scan")
      return refuse(node, "Scan has another form since 9");
    removeAttribute(node, "spatial");
    if (type == "Upsample")
      if (const onnx::AttributeProto *scales = attributeOf(node, "scales")) {
        std::vector<float> values(scales->floats().begin(), scales->floats().end());
        setInput(node, 1,
                 addConstant(floatTensor(nameOf(node) + "_scales", {static_cast<int64_t>(values.size())}, values)));
        removeAttribute(node, "scales");
      }
    return true;
  case 10:
    if (type == "Upsample")
      node.set_op_type("Resize");
    if (type == "Slice") {
      listToInput(node, "starts", 1);
      listToInput(node, "ends", 2);
      listToInput(node, "axes", 3);
    }
    if (type == "TopK") {
      setInput(node, 1, addConstant(int64Tensor(nameOf(node) + "_k", {integerOf(node, "k", 1)})));
      removeAttribute(node, "k");
    }
    return true;
  case 11:
    if (type == "Clip") {
      floatToInput(node, "min", 1);
      floatToInput(node, "max", 2);
    }
    if (type == "Pad") {
      listToInput(node, "pads", 1);
      floatToInput(node, "value", 2);
    }
    if (type == "Resize") {
      std::string scales = node.input(1);
      setInput(node, 1, "");
      setInput(node, 2, scales);
      setString(node, "coordinate_transformation_mode", "asymmetric");
      if (stringOf(node, "mode") != "linear")
        setString(node, "nearest_mode", "floor");
    }
    if (type == "Scatter")
      node.set_op_type("ScatterElements");
    return true;
  case 12:
    if (type == "Dropout")
      floatToInput(node, "ratio", 1);
    return true;
  case 13:
    if (type == "Squeeze" || type == "Unsqueeze" || type == "ReduceSum")
      listToInput(node, "axes", 1);
    if (type == "Split")
      listToInput(node, "split", 1);
    if (type == "Softmax" || type == "LogSoftmax" || type == "Hardmax")
      softmax(node, out);
    return true;
  case 14:
    if (type == "BatchNormalization" && node.output_size() > 1)
      return refuse(node, "training outputs of BatchNormalization have another form since 14");
    return true;
  case 16:
    if (type == "RoiAlign" && !attributeOf(node, "coordinate_transformation_mode"))
      setString(node, "coordinate_transformation_mode", "output_half_pixel");
    return true;
  case 18:
    if (type.starts_with("Reduce"))
      listToInput(node, "axes", 1);
    if (type == "Split" && (node.input_size() < 2 || node.input(1).empty()))
      setInteger(node, "num_outputs", node.output_size());
    return true;
  case 20:
    if (type == "GridSample")
      setString(node, "mode", stringOf(node, "mode") == "bicubic" ? "cubic" : "linear");
    if (type == "DFT")
      return refuse(node, "DFT has another form since 20");
    return true;
  case 21:
    if (type == "GroupNormalization")
      return refuse(node, "GroupNormalization has another form since 21");
    return true;
  default:
    return true;
  }
}

bool Raiser::change(onnx::NodeProto node, int64_t to, std::vector<onnx::NodeProto> &out) {
  for (int64_t opset = from + 1; opset <= to; ++opset)
    // The operator's name may change on the way: Upsample, Scatter.
    if (is_contained(schemaVersions("", node.op_type()), opset) || node.op_type() == "Upsample")
      if (!change(node, node.op_type(), opset, out))
        return false;
  out.push_back(std::move(node));
  return true;
}

bool Raiser::raise(int64_t opset, int64_t to) {
  from = opset;
  if (from < oldestOpset) {
    diagnostics.report({Code::CannotRaiseOpset,
                        "the model is of opset " + std::to_string(from) + "; quantization needs 13, and older than " +
                            std::to_string(oldestOpset) + " cannot be raised",
                        {},
                        "export the model with opset 13 or later"});
    return false;
  }
  bool good = true;
  forEachGraph(edit.graph, [&](onnx::GraphProto &graph) {
    std::vector<onnx::NodeProto> nodes;
    for (const onnx::NodeProto &node : graph.node()) {
      if (canonicalDomain(node.domain()).empty())
        good &= change(node, to, nodes);
      else
        nodes.push_back(node);
    }
    graph.clear_node();
    for (onnx::NodeProto &node : nodes)
      *graph.add_node() = std::move(node);
  });
  for (onnx::OperatorSetIdProto &import : *edit.model.mutable_opset_import())
    if (canonicalDomain(import.domain()).empty())
      import.set_version(to);
  // The IR version in which each opset came; from 4 on initializers need not be inputs.
  int64_t ir = to >= 21 ? 10 : 7;
  if (edit.model.ir_version() < ir)
    edit.model.set_ir_version(ir);
  return good;
}
} // namespace

bool raiseOpset(onnx::ModelProto &model, int64_t opset, Diagnostics &diagnostics) {
  int64_t from = opsetOf(model);
  return from >= opset || Raiser(model, diagnostics).raise(from, opset);
}

} // namespace sinter::quantize
