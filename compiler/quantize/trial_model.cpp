// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments a copy of the model: outputs that it did not have, rounding that inputs control.
#include "quantize/trial_model.h"

#include "quantize/model_file.h"
#include "quantize/trial.h"

#include <map>

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
    for (const Layer &layer : layers)
      if (layer.weight)
        makeInput(layer.node, 1, layer.weight->dims, layer.output + "_weight");
    for (const Plan::Value &value : plan.values)
      roundings.push_back(Rounding{value.name, scalarInput(value.name + "_scale"), scalarInput(value.name + "_low"),
                                   scalarInput(value.name + "_high")});
    for (const Layer &layer : layers)
      makeBiasInput(layer);
    std::vector<int> meanOf = addMeans();
    for (const Rounding &rounding : roundings)
      addRounding(rounding);
    for (const auto &[value, result] : results)
      readInstead(value, result);
    insertPending();
    return meanOf;
  }

private:
  std::string scalarInput(const Twine &name) {
    std::string fresh = edit.freshName(name);
    addInput(edit.graph, fresh, {});
    return fresh;
  }

  /// A node that comes behind the maker of `value`; returns its result.
  std::string follow(const std::string &value, onnx::NodeProto node) {
    pending.push_back({value, std::move(node)});
    return pending.back().second.output(0);
  }
  std::string follow(const std::string &value, StringRef type, ArrayRef<std::string> inputs) {
    std::string name = edit.freshName(value + "_" + type.lower());
    return follow(value, makeNode(type, inputs, {name}, name));
  }
  /// `then` where the scalar `condition` is above zero.
  std::string choose(const std::string &value, const std::string &condition, const std::string &then,
                     const std::string &otherwise) {
    if (zero.empty())
      zero = edit.addConstant(floatTensor("sinter_zero", {}, {0}));
    return follow(value, "Where", {follow(value, "Greater", {condition, zero}), then, otherwise});
  }
  /// What the model's nodes are to read in place of `value`.
  std::string &resultOf(const std::string &value) { return results.try_emplace(value, value).first->second; }

  struct Rounding {
    std::string value, scale, low, high;
  };
  /// round(x / scale), clipped, times scale; x itself where the scale is negative.
  void addRounding(const Rounding &rounding) {
    const auto &[value, scale, low, high] = rounding;
    std::string &result = resultOf(value);
    std::string steps = follow(value, "Round", {follow(value, "Div", {result, scale})});
    std::string clipped = follow(value, "Min", {follow(value, "Max", {steps, low}), high});
    result = choose(value, scale, follow(value, "Mul", {clipped, scale}), result);
  }

  void readInstead(const std::string &value, const std::string &result) {
    for (const Reader &reader : edit.readers(value))
      if (reader.node >= 0)
        edit.node(reader.node).set_input(reader.input, result);
  }

  void makeInput(int n, int input, ArrayRef<int64_t> dims, const Twine &name) {
    std::string fresh = edit.freshName(name);
    addInput(edit.graph, fresh, dims);
    onnx::NodeProto &node = edit.node(n);
    while (node.input_size() <= input)
      node.add_input("");
    node.set_input(input, fresh);
  }
  void makeBiasInput(const Layer &layer) {
    if (layer.weight && !layer.bias.empty())
      makeInput(layer.biasNode, layer.biasInput, layer.biasDims, layer.output + "_bias");
    else if (layer.weight && layer.takesBias)
      makeInput(layer.node, 2, layer.weight->dims[static_cast<size_t>(layer.axis)], layer.output + "_bias");
  }

  /// Each node directly behind what makes the value that it is for.
  void insertPending() {
    std::vector<std::vector<size_t>> behind(static_cast<size_t>(edit.nodes()) + 1);
    for (size_t p = 0; p < pending.size(); ++p)
      behind[static_cast<size_t>(edit.maker(pending[p].first) + 1)].push_back(p);
    std::vector<onnx::NodeProto> nodes;
    for (size_t n = 0; n < behind.size(); ++n) {
      if (n > 0)
        nodes.push_back(edit.node(static_cast<int>(n) - 1));
      for (size_t p : behind[n])
        nodes.push_back(std::move(pending[p].second));
    }
    edit.setNodes(std::move(nodes));
  }

  std::vector<int> addMeans() {
    std::string makesUp = scalarInput("sinter_makes_up");
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
        follow(layer.output, makeNode("Reshape", {layer.output, shape}, {source}, source));
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
      follow(layer.output, std::move(mean));
      meanOf.push_back(edit.graph.output_size());
      addOutput(edit.graph, name);
      makeUp(layer, name, channels, axes.size() - 1, makesUp);
    }
    return meanOf;
  }

  /// Adds what `mean` lacks of the one wanted. `inner`: how many dims the contraction has behind that of channels.
  void makeUp(const Layer &layer, const std::string &mean, int64_t channels, size_t inner, const std::string &makesUp) {
    const std::string &value = layer.output;
    std::string wanted = edit.freshName(value + "_wanted");
    addInput(edit.graph, wanted, channels);
    std::string lacks = follow(value, "Sub", {wanted, mean});
    if (inner > 0) {
      std::vector<int64_t> dims(inner + 1, 1);
      dims.front() = channels;
      lacks = follow(value, "Reshape", {lacks, edit.addConstant(int64Tensor(value + "_channels", dims))});
    }
    std::string &result = resultOf(value);
    result = choose(value, makesUp, follow(value, "Add", {result, lacks}), result);
  }

  GraphEdit edit;
  const std::vector<Layer> &layers;
  const Plan &plan;
  int64_t opset;
  std::string zero;
  std::vector<Rounding> roundings;
  std::vector<std::pair<std::string, onnx::NodeProto>> pending; ///< by value
  std::map<std::string, std::string> results;
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
