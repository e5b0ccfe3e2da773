// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph that a trial runs.
#pragma once

#include "quantize/plan.h"

namespace sinter::quantize {

struct TrialModel {
  onnx::ModelProto model;
  std::vector<int> meanOf; ///< per layer: the output with its contraction's mean per channel, or -1: it takes no bias
};

/// Inputs behind the model's own: the layers' weights; then per value scale (negative: leave it float), least and most
/// steps from zero, and the biases of layers that have one or could; then whether means are made up for (above zero:
/// yes), and per layer that takes a bias the mean that its contraction is to have. What is made up for is added to the
/// contraction, behind the output that has its mean: what follows sees channels whose means are right.
TrialModel makeTrialModel(const onnx::ModelProto &model, const std::vector<Layer> &layers, const Plan &plan);

} // namespace sinter::quantize
