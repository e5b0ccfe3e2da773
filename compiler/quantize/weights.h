// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights as integers: scales per channel or per tensor, and what the integers stand for.
#pragma once

#include "quantize/graph_edit.h"
#include "quantize/weight_scale.h"

namespace sinter::quantize {

/// The axis of output channels in the weights of a contraction with constant float weights; none for other nodes.
std::optional<int64_t> channelAxis(const GraphEdit &edit, const onnx::NodeProto &node);

/// Symmetric, int8 from -127 to 127: weight = scale * integer.
struct IntegerWeights {
  std::vector<float> scales; ///< one, or one per channel
  std::vector<int8_t> values;
};
IntegerWeights quantizeWeights(const FloatTensor &weight, int64_t axis, bool perChannel, WeightRange range);

/// Per layer what stands for its weights; null: they stay floats.
using WeightsOfLayers = std::vector<std::shared_ptr<const IntegerWeights>>;

/// What integers stand for.
std::vector<float> dequantized(const IntegerWeights &weights, llvm::ArrayRef<int64_t> dims, int64_t axis);

} // namespace sinter::quantize
