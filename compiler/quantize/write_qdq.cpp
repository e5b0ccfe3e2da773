// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quantized model. Nodes and values keep their names; what is new is called after the value that it belongs to.
#include "quantize/write_qdq.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {
namespace {
class Writer {
public:
  Writer(onnx::ModelProto &model, const Grid &grid) : edit(model), grid(grid) {}

  void addValue(const Plan::Value &value, const Scale &scale) {
    auto [scaleName, zeroName] = constantsOf(value.group, scale, value.name);
    std::string quantized = edit.freshName(value.name + "_quantized"),
                result = edit.freshName(value.name + "_dequantized");
    for (const Reader &reader : edit.readers(value.name))
      if (reader.node >= 0)
        edit.node(reader.node).set_input(reader.input, result);
    behind[edit.maker(value.name)].push_back(
        makeNode("QuantizeLinear", {value.name, scaleName, zeroName}, {quantized}, value.name + "_QuantizeLinear"));
    behind[edit.maker(value.name)].push_back(
        makeNode("DequantizeLinear", {quantized, scaleName, zeroName}, {result}, value.name + "_DequantizeLinear"));
  }

  void addLayer(const Layer &layer, const IntegerWeights &weights, const std::vector<float> &bias,
                std::optional<float> inputScale) {
    bool perChannel = weights.scales.size() > 1;
    onnx::NodeProto &node = edit.node(layer.node);
    std::string base = node.input(1);
    node.set_input(1,
                   constant(base,
                            rawTensor(base + "_quantized", onnx::TensorProto::INT8, layer.weight->dims,
                                      std::string(weights.values.begin(), weights.values.end())),
                            weights.scales, perChannel ? std::optional(layer.axis) : std::nullopt, layer.node, true));
    if (bias.empty() || (layer.biasNode < 0 && llvm::all_of(bias, [](float v) { return v == 0; })))
      return;
    int biasNode = layer.biasNode < 0 ? layer.node : layer.biasNode,
        biasInput = layer.biasNode < 0 ? 2 : layer.biasInput;
    onnx::NodeProto &adding = edit.node(biasNode);
    while (adding.input_size() <= biasInput)
      adding.add_input("");
    std::string biasName = adding.input(biasInput).empty() ? base + "_bias" : adding.input(biasInput);
    std::vector<int64_t> dims = layer.biasDims;
    if (dims.empty())
      dims = {static_cast<int64_t>(bias.size())};
    if (!inputScale) {
      adding.set_input(biasInput, edit.addConstant(floatTensor(biasName, dims, bias)));
      return;
    }
    std::vector<float> scales;
    std::string integers;
    for (size_t c = 0; c < bias.size(); ++c) {
      float scale = *inputScale * weights.scales[perChannel ? c : 0];
      if (scales.size() <= c && (perChannel || c == 0))
        scales.push_back(scale);
      auto integer = static_cast<int32_t>(
          std::clamp(std::nearbyint(static_cast<double>(bias[c]) / static_cast<double>(scale)), -0x1p31, 0x1p31 - 1));
      integers.append(reinterpret_cast<const char *>(&integer), sizeof integer);
    }
    adding.set_input(biasInput,
                     constant(biasName, rawTensor(biasName + "_quantized", onnx::TensorProto::INT32, dims, integers),
                              scales, perChannel ? std::optional<int64_t>(dims.size() - 1) : std::nullopt, biasNode,
                              false));
  }

  void finish() {
    std::vector<onnx::NodeProto> nodes;
    auto emit = [&](std::vector<onnx::NodeProto> &list) {
      for (onnx::NodeProto &node : list)
        nodes.push_back(std::move(node));
    };
    emit(behind[-1]);
    for (int n = 0; n < edit.nodes(); ++n) {
      emit(before[n]);
      nodes.push_back(edit.node(n));
      emit(behind[n]);
    }
    edit.setNodes(std::move(nodes));
    edit.dropUnread();
  }

private:
  std::pair<std::string, std::string> constantsOf(int group, const Scale &scale, const std::string &name) {
    auto found = groups.find(group);
    if (found == groups.end()) {
      auto zero = static_cast<char>(scale.zero);
      found = groups
                  .insert({group,
                           {edit.addConstant(floatTensor(name + "_scale", {}, {scale.scale})),
                            edit.addConstant(rawTensor(
                                name + "_zero_point", grid.low < 0 ? onnx::TensorProto::INT8 : onnx::TensorProto::UINT8,
                                {}, std::string(1, zero)))}})
                  .first;
    }
    return found->second;
  }

  /// A DequantizeLinear of a constant, before node `n`; the name of its result.
  std::string constant(const std::string &base, onnx::TensorProto tensor, ArrayRef<float> scales,
                       std::optional<int64_t> axis, int n, bool hasZero) {
    std::vector<int64_t> dims;
    if (axis)
      dims = {static_cast<int64_t>(scales.size())};
    int type = tensor.data_type();
    std::vector<std::string> inputs = {edit.addConstant(std::move(tensor)),
                                       edit.addConstant(floatTensor(base + "_scale", dims, scales))};
    if (hasZero)
      inputs.push_back(edit.addConstant(rawTensor(base + "_zero_point", type, dims, std::string(scales.size(), '\0'))));
    std::string result = edit.freshName(base + "_dequantized");
    onnx::NodeProto node = makeNode("DequantizeLinear", inputs, {result}, base + "_DequantizeLinear");
    if (axis)
      setInteger(node, "axis", *axis);
    before[n].push_back(std::move(node));
    return result;
  }

  GraphEdit edit;
  const Grid &grid;
  std::map<int, std::pair<std::string, std::string>> groups;  ///< scale and zero point
  std::map<int, std::vector<onnx::NodeProto>> before, behind; ///< nodes to come before and behind one
};
} // namespace

void makeRoomForBiases(const Layer &layer, float inputScale, IntegerWeights &weights) {
  constexpr double most = 0x1p30;
  bool changed = false;
  for (size_t c = 0; c < layer.bias.size(); ++c) {
    float &scale = weights.scales[weights.scales.size() == 1 ? 0 : c];
    double least = std::fabs(static_cast<double>(layer.bias[c])) / most / static_cast<double>(inputScale);
    if (static_cast<double>(scale) >= least)
      continue;
    scale = static_cast<float>(least);
    changed = true;
  }
  if (!changed)
    return;
  Axis shape = axisOf(layer.weight->dims, layer.axis);
  for (size_t i = 0; i < weights.values.size(); ++i) {
    auto channel = i / static_cast<size_t>(shape.inner) % static_cast<size_t>(shape.channels);
    float scale = weights.scales[weights.scales.size() == 1 ? 0 : channel];
    weights.values[i] =
        static_cast<int8_t>(std::clamp(std::nearbyint(layer.weight->values[i] / scale), -127.0f, 127.0f));
  }
}

void writeQdq(onnx::ModelProto &model, const std::vector<Layer> &layers, const Plan &plan, const Setting &setting,
              const Grid &grid) {
  Writer writer(model, grid);
  std::vector<std::optional<float>> inputScales;
  for (const Layer &layer : layers) {
    int value = plan.find(layer.inputs.front());
    const std::optional<Scale> *scale = value < 0 ? nullptr : &setting.values[static_cast<size_t>(value)];
    inputScales.push_back(scale && *scale ? std::optional<float>((*scale)->scale) : std::nullopt);
  }
  for (size_t v = 0; v < plan.values.size(); ++v)
    if (setting.values[v])
      writer.addValue(plan.values[v], *setting.values[v]);
  for (size_t l = 0; l < layers.size(); ++l)
    if (setting.weights[l])
      writer.addLayer(layers[l], *setting.weights[l], setting.biases[l], inputScales[l]);
  writer.finish();
}

} // namespace sinter::quantize
