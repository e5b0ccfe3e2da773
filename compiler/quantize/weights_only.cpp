// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of weights, each with a scale, for DequantizeLinear.
#include "quantize/weights_only.h"

#include "quantize/weight_groups.h"
#include "quantize/weights.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {
namespace {

/// The dim over which a contraction sums, if its weights can be cut into blocks along it.
std::optional<int64_t> summedAxis(const onnx::NodeProto &node, const FloatTensor &weight, int64_t channels) {
  if (isStandard(node, "Gemm"))
    return 1 - channels;
  if (isStandard(node, "MatMul"))
    return static_cast<int64_t>(weight.dims.size()) - 2;
  return std::nullopt; // a convolution sums over several
}

/// Two to a byte, the first in the low bits.
std::string packedNibbles(ArrayRef<int8_t> values) {
  std::string bytes((values.size() + 1) / 2, '\0');
  for (size_t i = 0; i < values.size(); ++i)
    bytes[i / 2] = static_cast<char>(bytes[i / 2] | ((values[i] & 15) << (i % 2 * 4)));
  return bytes;
}

struct Blocks {
  std::vector<int64_t> scaleDims;
  std::vector<float> scales;
  std::vector<int8_t> values;
  double error = 0, power = 0; ///< squared
};

/// Elements (o, k, i) and (o, k + 1, i) share a scale within a block of `block` along `axis`; with `alone`, all
/// elements of one `axis` do.
Blocks quantize(const FloatTensor &weight, int64_t axis, int64_t block, bool alone, int bits) {
  int most = (1 << (bits - 1)) - 1, least = bits == 4 ? -most - 1 : -most;
  Axis shape = axisOf(weight.dims, axis);
  Blocks result;
  result.values.resize(weight.values.size());
  auto take = [&](const WeightGroups &groups) {
    forEachGroup(weight.values, result.values, groups, [&](ArrayRef<float> values, MutableArrayRef<int8_t> integers) {
      float scale = symmetricScale(values, most, WeightRange::Mse);
      for (size_t i = 0; i < values.size(); ++i) {
        float steps = rounded(values[i], scale, least, most);
        integers[i] = static_cast<int8_t>(steps);
        auto value = static_cast<double>(values[i]), error = value - static_cast<double>(steps * scale);
        result.error += error * error;
        result.power += value * value;
      }
      result.scales.push_back(scale);
    });
  };
  if (alone) {
    result.scaleDims = {shape.channels};
    take(channelGroups(shape));
    return result;
  }
  int64_t blocks = (shape.channels + block - 1) / block;
  result.scaleDims = weight.dims;
  result.scaleDims[static_cast<size_t>(axis)] = blocks;
  auto inner = static_cast<size_t>(shape.inner);
  for (int64_t o = 0; o < shape.outer; ++o)
    for (int64_t b = 0; b < blocks; ++b) {
      int64_t begin = o * shape.channels + b * block, rows = std::min(block, shape.channels - b * block);
      take({static_cast<size_t>(begin) * inner, static_cast<size_t>(rows), inner, 1, inner});
    }
  return result;
}
} // namespace

std::vector<WeightReport> quantizeWeightsOnly(GraphEdit &edit, const WeightsOnly &form) {
  std::vector<WeightReport> reports;
  std::vector<onnx::NodeProto> nodes;
  StringMap<std::string> done; // weights that several nodes read
  for (onnx::NodeProto &node : *edit.graph.mutable_node()) {
    std::optional<int64_t> channels = channelAxis(edit, node);
    std::optional<FloatTensor> floats = channels ? edit.floats(node.input(1)) : std::nullopt;
    if (!floats) {
      nodes.push_back(node);
      continue;
    }
    std::string name = node.input(1);
    auto known = done.find(name + "/" + std::to_string(*channels));
    if (known == done.end()) {
      FloatTensor weight = std::move(*floats);
      edit.release();
      std::optional<int64_t> summed = form.block > 0 ? summedAxis(node, weight, *channels) : std::nullopt;
      Blocks blocks = quantize(weight, summed.value_or(*channels), form.block, !summed, form.bits);
      std::string bytes =
          form.bits == 4 ? packedNibbles(blocks.values) : std::string(blocks.values.begin(), blocks.values.end());
      auto after = static_cast<int64_t>(bytes.size() + blocks.scales.size() * sizeof(float));
      reports.push_back({nameOf(node), node.op_type(), static_cast<int64_t>(weight.values.size() * sizeof(float)),
                         after, blocks.power > 0 ? std::sqrt(blocks.error / blocks.power) : 0,
                         outlineOf(weight.values)});
      int type = form.bits == 4 ? onnx::TensorProto::INT4 : onnx::TensorProto::INT8;
      std::string integers = edit.addConstant(rawTensor(name + "_quantized", type, weight.dims, std::move(bytes)));
      std::string scales = edit.addConstant(floatTensor(name + "_scale", blocks.scaleDims, blocks.scales));
      std::string result = edit.freshName(name + "_dequantized");
      onnx::NodeProto dequantize =
          makeNode("DequantizeLinear", {integers, scales}, {result}, name + "_DequantizeLinear");
      setInteger(dequantize, "axis", summed.value_or(*channels));
      if (summed)
        setInteger(dequantize, "block_size", form.block);
      nodes.push_back(std::move(dequantize));
      known = done.try_emplace(name + "/" + std::to_string(*channels), result).first;
    }
    node.set_input(1, known->second);
    nodes.push_back(node);
  }
  edit.setNodes(std::move(nodes));
  edit.dropUnread();
  return reports;
}

} // namespace sinter::quantize
