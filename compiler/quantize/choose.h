// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choices for one model: ranges, biases, and which layers are quantized.
#pragma once

#include "quantize/static.h"
#include "quantize/trial.h"
#include "quantize/write_qdq.h"

namespace sinter::quantize {

class Chooser {
public:
  /// The references must outlive this.
  Chooser(const GraphEdit &edit, const std::vector<Layer> &layers, const Plan &plan, std::vector<Histogram> histograms,
          const StaticOptions &options);

  /// Ranges and biases, with everything quantized.
  llvm::Error choose(const onnx::ModelProto &model, size_t samples, MakeProgram makeProgram);
  /// The loss of each layer alone.
  llvm::Error measureLayers();
  /// Leaves layers float, those first that cost most, until the loss is at most `most`.
  llvm::Error leaveOut(double most);

  double loss() const { return leastLoss; }
  const Setting &setting() const { return finalSetting ? *finalSetting : chosen; }
  void report(StaticReport &report) const;

private:
  /// Quantizes all weights under the current scales of values.
  void setWeights(Setting &setting, WeightRange range) const;
  /// `chosen` with only these layers quantized.
  Setting withLayers(const std::vector<bool> &wanted) const;
  struct Candidate {
    Setting setting;
    double loss = -1, disagreement = 0;
    bool isCorrected = false;
  };
  /// The best that one way of choosing ranges of values gives, over those for weights, with biases corrected if that
  /// helps.
  llvm::Expected<Candidate> bestOf(Calibration method);
  llvm::Error correctBiases(Candidate &candidate);
  void reportWeights(StaticReport &report) const;
  void reportRanges(StaticReport &report) const;

  const onnx::ModelProto &model;
  const std::vector<Layer> &layers;
  const Plan &plan;
  std::vector<Histogram> histograms;
  StaticOptions options;
  std::unique_ptr<Trial> trial;

  Setting chosen;                      ///< everything quantized
  std::optional<Setting> finalSetting; ///< by leaveOut
  std::vector<bool> quantizedLayers;
  std::vector<std::optional<double>> layerLoss;
  StaticReport soFar;
  double leastLoss = -1;
};

} // namespace sinter::quantize
