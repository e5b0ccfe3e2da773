// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is quantized: contractions with their weights, and the values between them. Scales come later: calibration.h.
#pragma once

#include "quantize/operators.h"

namespace sinter::quantize {

/// A contraction, with its constant operands as they are at this point of the work.
struct Layer {
  std::string name; ///< of the node
  int node;
  std::vector<std::string> inputs;   ///< values that are multiplied
  std::optional<FloatTensor> weight; ///< constant input 1; none for a contraction of two values
  int64_t axis = 0;                  ///< of output channels in it
  /// A constant added to the contraction: input of `biasNode` (the contraction itself, or the Add behind a MatMul).
  int biasNode = -1, biasInput = 0;
  std::vector<int64_t> biasDims;
  std::vector<float> bias; ///< one per channel; empty: none
  bool takesBias = false;  ///< it could have one
  std::string output;      ///< of the contraction itself
};

/// All contractions of the main graph that could be quantized, in its order.
std::vector<Layer> layersOf(const GraphEdit &edit);

struct Plan {
  struct Value {
    std::string name;
    int group;     ///< values of one group have one scale
    bool observed; ///< its elements count for the group's range; others are copies of such
  };
  std::vector<bool> layers;  ///< which are quantized
  std::vector<Value> values; ///< quantized, in the graph's order
  int groups = 0;

  /// Index of a value; -1: not quantized.
  int find(llvm::StringRef name) const;
};

/// The plan in which the layers that `wanted` names are quantized. With more layers a plan has more values, never
/// others.
Plan makePlan(const GraphEdit &edit, const std::vector<Layer> &layers, const std::vector<bool> &wanted);

} // namespace sinter::quantize
