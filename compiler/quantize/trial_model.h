// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph that a trial runs.
#pragma once

#include "quantize/plan.h"

namespace sinter::quantize {

struct TrialModel {
  onnx::ModelProto model;
  std::vector<int> meanOf; ///< per layer: the output with its contraction's mean per channel, or -1
};

/// Inputs behind the model's own: per value scale (negative: leave it float), least and most steps from zero; then per
/// layer its weight, and its bias if it has one or could.
TrialModel makeTrialModel(const onnx::ModelProto &model, const std::vector<Layer> &layers, const Plan &plan);

} // namespace sinter::quantize
