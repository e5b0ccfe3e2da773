// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights as 8- or 4-bit integers while everything is computed in float: less flash and memory traffic, no samples
// needed.
#pragma once

#include "quantize/graph_edit.h"
#include "quantize/outline.h"

namespace sinter::quantize {

struct WeightsOnly {
  int bits = 8;
  int64_t block = 0; ///< weights that share a scale along the summed dim; 0: all of a channel
  /// The first opset that has what this needs.
  int64_t opset() const { return bits == 4 || block > 0 ? 21 : 13; }
};

/// What became of one weight.
struct WeightReport {
  std::string name;      ///< of the node
  std::string type;      ///< its operator
  int64_t before, after; ///< bytes
  double loss;           ///< the root of the squared errors, as a share of the weights
  Outline outline;       ///< of the weights as they were
};

/// Puts a DequantizeLinear behind the weights of each contraction.
std::vector<WeightReport> quantizeWeightsOnly(GraphEdit &edit, const WeightsOnly &form);

} // namespace sinter::quantize
