// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales of weights and rounding to them.
#include "quantize/weights.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {
namespace {
constexpr int largest = 127;

/// To the nearest integer, ties to even, of at most `most`. Floats from 2^23 on have no fractions, so that a sum
/// rounds: vectors of any CPU do that, where std::nearbyint is a call.
float rounded(float value, float scale, int most) {
  constexpr float whole = 1.5f * (1 << 23);
  return (std::clamp(value / scale, -float(most), float(most)) + whole) - whole;
}
} // namespace

float symmetricScale(ArrayRef<float> values, int most, WeightRange range) {
  float end = 0;
  for (float value : values)
    end = std::max(end, std::fabs(value));
  float scale = end / static_cast<float>(most);
  if (!std::isnormal(scale))
    return 1;
  if (range == WeightRange::Largest)
    return scale;
  float best = scale;
  double least = -1;
  constexpr int steps = 40;
  for (int step = 0; step < steps; ++step) {
    float candidate = scale * (1 - 0.5f * static_cast<float>(step) / steps);
    double error = 0;
    for (ArrayRef<float> rest = values; !rest.empty() && (least < 0 || error < least); // errors only grow
         rest = rest.drop_front(std::min<size_t>(rest.size(), 1024)))
      for (float value : rest.take_front(1024)) {
        double difference = static_cast<double>(value - candidate * rounded(value, candidate, most));
        error += difference * difference;
      }
    if (least < 0 || error < least) {
      least = error;
      best = candidate;
    }
  }
  return best;
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
  IntegerWeights result;
  result.values.resize(weight.values.size());
  Axis shape = perChannel ? axisOf(weight.dims, axis) : Axis{1, 1, static_cast<int64_t>(weight.values.size())};
  std::vector<float> channel;
  for (int64_t c = 0; c < shape.channels; ++c) {
    channel.clear();
    auto forEach = [&](auto visit) {
      for (int64_t o = 0; o < shape.outer; ++o)
        for (int64_t i = 0; i < shape.inner; ++i)
          visit(static_cast<size_t>((o * shape.channels + c) * shape.inner + i));
    };
    forEach([&](size_t at) { channel.push_back(weight.values[at]); });
    float scale = symmetricScale(channel, largest, range);
    forEach([&](size_t at) { result.values[at] = static_cast<int8_t>(rounded(weight.values[at], scale, largest)); });
    result.scales.push_back(scale);
  }
  return result;
}

std::vector<float> dequantized(const IntegerWeights &weights, ArrayRef<int64_t> dims, int64_t axis) {
  Axis shape = axisOf(dims, axis);
  std::vector<float> values(weights.values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    auto channel = i / static_cast<size_t>(shape.inner) % static_cast<size_t>(shape.channels);
    values[i] = weights.scales[weights.scales.size() == 1 ? 0 : channel] * static_cast<float>(weights.values[i]);
  }
  return values;
}

} // namespace sinter::quantize
