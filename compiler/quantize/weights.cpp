// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which weights share a scale, and rounding to it.
#include "quantize/weights.h"

#include "quantize/weight_groups.h"

using namespace llvm;

namespace sinter::quantize {

WeightGroups channelGroups(const Axis &axis) {
  return {0, static_cast<size_t>(axis.outer), static_cast<size_t>(axis.channels * axis.inner),
          static_cast<size_t>(axis.inner), static_cast<size_t>(axis.channels)};
}
std::optional<int64_t> channelAxis(const GraphEdit &edit, const onnx::NodeProto &node) {
  bool isConv = isStandard(node, "Conv"), isTransposed = isStandard(node, "ConvTranspose"),
       isGemm = isStandard(node, "Gemm"), isMatMul = isStandard(node, "MatMul");
  if (!(isConv || isTransposed || isGemm || isMatMul) || node.input_size() < 2)
    return std::nullopt;
  const onnx::TensorProto *weight = edit.constant(node.input(1));
  if (!weight || weight->data_type() != onnx::TensorProto::FLOAT || weight->dims_size() < 2 ||
      !(OutsideWeights::has(*weight) || floatsOf(*weight)))
    return std::nullopt;
  if (isConv)
    return 0;
  // With groups the channels of a transposed convolution lie in two dims.
  if (isTransposed)
    return integerOf(node, "group", 1) == 1 ? std::optional<int64_t>(1) : std::nullopt;
  if (isGemm)
    return integerOf(node, "transA", 0) || floatOf(node, "alpha", 1) != 1
               ? std::nullopt
               : std::optional<int64_t>(integerOf(node, "transB", 0) ? 0 : 1);
  return weight->dims_size() - 1;
}

IntegerWeights quantizeWeights(const FloatTensor &weight, int64_t axis, bool perChannel, WeightRange range) {
  constexpr int largest = 127;
  size_t size = weight.values.size();
  WeightGroups groups{0, 1, size, size, 1};
  if (perChannel)
    groups = channelGroups(axisOf(weight.dims, axis));
  IntegerWeights result;
  result.values.resize(size);
  forEachGroup(weight.values, result.values, groups, [&](ArrayRef<float> values, MutableArrayRef<int8_t> integers) {
    float scale = symmetricScale(values, largest, range);
    for (size_t i = 0; i < values.size(); ++i)
      integers[i] = static_cast<int8_t>(rounded(values[i], scale, -largest, largest));
    result.scales.push_back(scale);
  });
  return result;
}

std::vector<float> dequantized(const IntegerWeights &weights, ArrayRef<int64_t> dims, int64_t axis) {
  Axis shape = axisOf(dims, axis);
  auto channels = static_cast<size_t>(shape.channels), inner = static_cast<size_t>(shape.inner);
  std::vector<float> values(weights.values.size());
  for (size_t at = 0, channel = 0; at < values.size();
       at += inner, channel = channel + 1 < channels ? channel + 1 : 0) {
    float scale = weights.scales[weights.scales.size() == 1 ? 0 : channel];
    for (size_t i = 0; i < inner; ++i)
      values[at + i] = scale * static_cast<float>(weights.values[at + i]);
  }
  return values;
}

} // namespace sinter::quantize
