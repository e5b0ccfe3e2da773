// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments a copy of the model: outputs that it did not have, rounding that inputs control.
#include "quantize/trial_model.h"

#include "quantize/model_file.h"
#include "quantize/trial.h"

using namespace llvm;

namespace sinter::quantize {
namespace {

void addInput(onnx::GraphProto &graph, StringRef name, ArrayRef<int64_t> dims) {
  onnx::ValueInfoProto *input = graph.add_input();
  input->set_name(name.str());
  onnx::TypeProto::Tensor *type = input->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape();
  for (int64_t dim : dims)
    type->mutable_shape()->add_dim()->set_dim_value(dim);
}

void addOutput(onnx::GraphProto &graph, StringRef name) {
  onnx::ValueInfoProto *output = graph.add_output();
  output->set_name(name.str());
  output->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
}

/// Graph inputs that an initializer backs would have the user's samples count them.
void dropConstantInputs(GraphEdit &edit) {
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> inputs;
  for (onnx::ValueInfoProto &input : *edit.graph.mutable_input())
    if (!edit.constant(input.name()))
      *inputs.Add() = std::move(input);
  edit.graph.mutable_input()->Swap(&inputs);
}

class Instrument {
public:
  Instrument(onnx::ModelProto &model, const std::vector<Layer> &layers, const Plan &plan)
      : edit(model), layers(layers), plan(plan), opset(opsetOf(model)) {}

  std::vector<int> run() {
    for (const Plan::Value &value : plan.values)
      addRounding(value.name);
    for (const Layer &layer : layers)
      makeInputs(layer);
    insertRoundings();
    return addMeans();
  }

private:
  std::string scalarInput(const Twine &name) {
    std::string fresh = edit.freshName(name);
    addInput(edit.graph, fresh, {});
    return fresh;
  }

  /// round(x / scale), clipped, times scale; x itself where the scale is negative.
  void addRounding(const std::string &value) {
    std::string scale = scalarInput(value + "_scale"), low = scalarInput(value + "_low"),
                high = scalarInput(value + "_high");
    if (zero.empty())
      zero = edit.addConstant(floatTensor("sinter_zero", {}, {0}));
    std::vector<onnx::NodeProto> nodes;
    auto node = [&](StringRef type, ArrayRef<std::string> inputs) {
      std::string name = edit.freshName(value + "_" + type.lower());
      nodes.push_back(makeNode(type, inputs, {name}, name));
      return name;
    };
    std::string steps = node("Round", {node("Div", {value, scale})});
    std::string rounded = node("Mul", {node("Min", {node("Max", {steps, low}), high}), scale});
    std::string result = node("Where", {node("Greater", {scale, zero}), rounded, value});
    for (const Reader &reader : edit.readers(value))
      if (reader.node >= 0)
        edit.node(reader.node).set_input(reader.input, result);
    pending.push_back({value, std::move(nodes)});
  }

  void makeInputs(const Layer &layer) {
    if (!layer.weight)
      return;
    auto replace = [&](int n, int input, ArrayRef<int64_t> dims, const Twine &name) {
      std::string fresh = edit.freshName(name);
      addInput(edit.graph, fresh, dims);
      onnx::NodeProto &node = edit.node(n);
      while (node.input_size() <= input)
        node.add_input("");
      node.set_input(input, fresh);
    };
    replace(layer.node, 1, layer.weight->dims, layer.output + "_weight");
    if (!layer.bias.empty())
      replace(layer.biasNode, layer.biasInput, layer.biasDims, layer.output + "_bias");
    else if (layer.takesBias)
      replace(layer.node, 2, layer.weight->dims[static_cast<size_t>(layer.axis)], layer.output + "_bias");
  }

  /// Each rounding directly behind what makes its value.
  void insertRoundings() {
    std::vector<std::vector<size_t>> behind(static_cast<size_t>(edit.nodes()) + 1);
    for (size_t p = 0; p < pending.size(); ++p)
      behind[static_cast<size_t>(edit.maker(pending[p].first) + 1)].push_back(p);
    std::vector<onnx::NodeProto> nodes;
    for (size_t n = 0; n < behind.size(); ++n) {
      if (n > 0)
        nodes.push_back(edit.node(static_cast<int>(n) - 1));
      for (size_t p : behind[n])
        for (onnx::NodeProto &node : pending[p].second)
          nodes.push_back(std::move(node));
    }
    edit.setNodes(std::move(nodes));
  }

  std::vector<int> addMeans() {
    std::vector<int> meanOf;
    for (const Layer &layer : layers) {
      bool isMatrix = layer.weight && layer.weight->dims.size() == 2;
      if (!layer.weight || (layer.bias.empty() && !layer.takesBias)) {
        meanOf.push_back(-1);
        continue;
      }
      std::string name = edit.freshName(layer.output + "_mean"), source = layer.output;
      std::vector<int64_t> axes = {0};
      // The channels are the last dim of a matrix product, whatever its rank, and the second of a convolution.
      auto channels = layer.weight->dims[static_cast<size_t>(layer.axis)];
      if (isMatrix || layer.weight->dims.size() < 3) {
        source = edit.freshName(layer.output + "_rows");
        std::string shape = edit.addConstant(int64Tensor(source + "_shape", {-1, channels}));
        *edit.graph.add_node() = makeNode("Reshape", {layer.output, shape}, {source}, source);
      } else {
        for (size_t d = 2; d < layer.weight->dims.size(); ++d)
          axes.push_back(static_cast<int64_t>(d));
      }
      onnx::NodeProto mean = makeNode("ReduceMean", {source}, {name}, name);
      if (opset >= 18) {
        mean.add_input(edit.addConstant(int64Tensor(name + "_axes", axes)));
      } else {
        onnx::AttributeProto *attribute = mean.add_attribute();
        attribute->set_name("axes");
        attribute->set_type(onnx::AttributeProto::INTS);
        for (int64_t axis : axes)
          attribute->add_ints(axis);
      }
      setInteger(mean, "keepdims", 0);
      *edit.graph.add_node() = std::move(mean);
      meanOf.push_back(edit.graph.output_size());
      addOutput(edit.graph, name);
    }
    return meanOf;
  }

  GraphEdit edit;
  const std::vector<Layer> &layers;
  const Plan &plan;
  int64_t opset;
  std::string zero;
  std::vector<std::pair<std::string, std::vector<onnx::NodeProto>>> pending; ///< roundings by value
};
} // namespace

onnx::ModelProto withOutputs(const onnx::ModelProto &model, ArrayRef<std::string> values) {
  onnx::ModelProto copy = model;
  GraphEdit edit(copy);
  dropConstantInputs(edit);
  for (const std::string &value : values) {
    // Always through a node: the value may be an input, or an output already.
    std::string name = edit.freshName(value + "_seen");
    *copy.mutable_graph()->add_node() = makeNode("Identity", {value}, {name}, name);
    addOutput(*copy.mutable_graph(), name);
  }
  return copy;
}

TrialModel makeTrialModel(const onnx::ModelProto &model, const std::vector<Layer> &layers, const Plan &plan) {
  TrialModel result;
  result.model = withOutputs(model, {});
  result.meanOf = Instrument(result.model, layers, plan).run();
  return result;
}

} // namespace sinter::quantize
