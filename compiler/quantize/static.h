// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static post-training quantization: from a float model and samples to a model with QuantizeLinear and
// DequantizeLinear. Every choice is made by trying it (trial.h).
#pragma once

#include "quantize/histogram.h"
#include "quantize/program.h"
#include "quantize/weights.h"
#include "quantize/weights_only.h"

#include "diagnostics/diagnostics.h"
#include <functional>

namespace sinter::quantize {

/// Whether something is done: as it helps, unless the user says.
enum class Choice { Auto, On, Off };

struct StaticOptions {
  std::optional<Calibration> calibration; ///< none: the one with the least loss
  double percent = 99.99;
  Grid grid;
  bool perChannel = true;
  Choice biasCorrection = Choice::Auto, equalization = Choice::Auto;
  bool sensitivity = false;
  std::optional<double> maxLoss;
  size_t trialSamples = 32; ///< how many of the samples trials run on
  /// Told of each part of the work before it begins: what it is, and how many runs of programs it takes.
  std::function<void(llvm::StringRef what, size_t runs)> onPart = [](llvm::StringRef, size_t) {};
};

struct LayerReport {
  std::string name, type;
  bool quantized = false;
  std::optional<double> loss; ///< when only this layer is quantized
};

struct StaticReport {
  std::vector<LayerReport> layers;
  std::vector<WeightReport> weights; ///< of layers that are quantized
  std::vector<RangeReport> ranges;   ///< of values that are: each scale once
  Calibration calibration = Calibration::MinMax;
  std::vector<std::pair<Calibration, double>> losses; ///< of what was tried
  bool equalized = false, biasesCorrected = false;
  int values = 0; ///< that are quantized
  double loss = 0, disagreement = 0;
  size_t samples = 0, trialSamples = 0;
};

/// Quantizes `model`, which is of opset 13 at least and normalized. Errors are of programs that did not run; none with
/// reports in `diagnostics` where there is nothing to quantize. `outside`: where initializers lie that are no part of
/// the message.
llvm::Expected<std::optional<StaticReport>> quantizeStatic(onnx::ModelProto &model, OutsideWeights *outside,
                                                           size_t samples, const StaticOptions &options,
                                                           MakeProgram makeProgram, Diagnostics &diagnostics);

/// The diagnostic for a model without contractions of float32 weights.
void reportNothing(Diagnostics &diagnostics);

} // namespace sinter::quantize
