// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts QuantizeLinear and DequantizeLinear into the model: what a setting said in floats, in ONNX's integers.
#pragma once

#include "quantize/trial.h"
#include "quantize/weights.h"

namespace sinter::quantize {

void writeQdq(onnx::ModelProto &model, const std::vector<Layer> &layers, const Plan &plan, const Setting &setting,
              const Grid &grid);

/// The largest bias per scale that int32 holds with room for the sum: scales of channels that need more grow.
void makeRoomForBiases(const Layer &layer, float inputScale, IntegerWeights &weights);

} // namespace sinter::quantize
