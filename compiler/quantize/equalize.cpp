// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding pairs of layers, and moving factors between their weights until the ranges per channel are alike.
#include "quantize/equalize.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {
namespace {

struct Pair {
  size_t first, second;
};

/// Whether the input channels of a layer's weight are along a dim, and how: channel of element i.
std::optional<Axis> inputChannels(const GraphEdit &edit, const Layer &layer) {
  const onnx::NodeProto &node = edit.node(layer.node);
  if (!layer.weight)
    return std::nullopt;
  if (isStandard(node, "Conv")) {
    if (integerOf(node, "group", 1) == 1)
      return axisOf(layer.weight->dims, 1);
    // Depthwise: a filter per channel.
    return layer.weight->dims[1] == 1 && integerOf(node, "group", 1) == layer.weight->dims[0]
               ? std::optional<Axis>(axisOf(layer.weight->dims, 0))
               : std::nullopt;
  }
  if (isStandard(node, "Gemm"))
    return axisOf(layer.weight->dims, 1 - layer.axis);
  return std::nullopt;
}

/// The layer that alone reads what `layer` makes, over a Relu at most.
std::optional<size_t> next(const GraphEdit &edit, const std::vector<Layer> &layers, const Layer &layer) {
  StringRef value = layer.output;
  for (bool relu : {true, false}) {
    ArrayRef<Reader> readers = edit.readers(value);
    if (readers.size() != 1 || readers.front().node < 0 || readers.front().input != 0)
      return std::nullopt;
    int reader = readers.front().node;
    for (size_t l = 0; l < layers.size(); ++l)
      if (layers[l].node == reader)
        return l;
    if (!relu || !isStandard(edit.node(reader), "Relu"))
      return std::nullopt;
    value = edit.node(reader).output(0);
  }
  return std::nullopt;
}

std::vector<float> largestPerChannel(const std::vector<float> &values, const Axis &shape) {
  std::vector<float> largest(static_cast<size_t>(shape.channels), 0);
  for (size_t i = 0; i < values.size(); ++i) {
    float &most = largest[i / static_cast<size_t>(shape.inner) % largest.size()];
    most = std::max(most, std::fabs(values[i]));
  }
  return largest;
}

void scaleChannels(std::vector<float> &values, const Axis &shape, ArrayRef<float> factors, bool divide) {
  for (size_t i = 0; i < values.size(); ++i) {
    float factor = factors[i / static_cast<size_t>(shape.inner) % factors.size()];
    values[i] = divide ? values[i] / factor : values[i] * factor;
  }
}

/// Makes the ranges of both weights alike; the largest factor by which a channel changed.
float equalize(Layer &first, Layer &second, const Axis &inputs) {
  Axis outputs = axisOf(first.weight->dims, first.axis);
  std::vector<float> a = largestPerChannel(first.weight->values, outputs),
                     b = largestPerChannel(second.weight->values, inputs), factors;
  float most = 1;
  for (size_t c = 0; c < a.size(); ++c) {
    float factor = std::sqrt(a[c] / b[c]);
    // A channel that is dead on one side stays as it is; so does one that would go beyond what floats hold well.
    factor = std::isfinite(factor) && factor > 1e-4f && factor < 1e4f ? factor : 1;
    factors.push_back(factor);
    most = std::max({most, factor, 1 / factor});
  }
  scaleChannels(first.weight->values, outputs, factors, /*divide=*/true);
  scaleChannels(first.bias, {1, outputs.channels, 1}, factors, /*divide=*/true);
  scaleChannels(second.weight->values, inputs, factors, /*divide=*/false);
  return most;
}
} // namespace

bool equalizeLayers(GraphEdit &edit, std::vector<Layer> &layers) {
  std::vector<Pair> pairs;
  for (size_t l = 0; l < layers.size(); ++l) {
    const Layer &layer = layers[l];
    bool ownBias = !layer.bias.empty() || layer.takesBias; // no other would be scaled with the weights
    bool shared = layer.weight && edit.readers(edit.node(layer.node).input(1)).size() != 1;
    if (!layer.weight || !ownBias || shared || isStandard(edit.node(layer.node), "MatMul"))
      continue;
    std::optional<size_t> second = next(edit, layers, layer);
    std::optional<Axis> inputs = second ? inputChannels(edit, layers[*second]) : std::nullopt;
    if (inputs && inputs->channels == layer.weight->dims[static_cast<size_t>(layer.axis)] &&
        edit.readers(edit.node(layers[*second].node).input(1)).size() == 1)
      pairs.push_back({l, *second});
  }
  constexpr int rounds = 20;
  float most = 2;
  for (int round = 0; round < rounds && most > 1.001f; ++round) {
    most = 1;
    for (const Pair &pair : pairs)
      most =
          std::max(most, equalize(layers[pair.first], layers[pair.second], *inputChannels(edit, layers[pair.second])));
  }
  std::vector<bool> isChanged(layers.size(), false);
  for (const Pair &pair : pairs)
    isChanged[pair.first] = isChanged[pair.second] = true;
  for (size_t l = 0; l < layers.size(); ++l) {
    Layer &layer = layers[l];
    if (!isChanged[l]) // its weights may lie in files, and stay there
      continue;
    onnx::NodeProto &node = edit.node(layer.node);
    edit.setConstant(node, 1, floatTensor(node.input(1), layer.weight->dims, layer.weight->values));
    if (layer.biasNode < 0)
      continue;
    onnx::NodeProto &adding = edit.node(layer.biasNode);
    edit.setConstant(adding, layer.biasInput, floatTensor(adding.input(layer.biasInput), layer.biasDims, layer.bias));
  }
  edit.index();
  edit.dropUnread();
  return !pairs.empty();
}

} // namespace sinter::quantize
