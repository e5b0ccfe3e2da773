// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model as it will be quantized, in floats: each value passes through its scale, weights and biases are inputs. So
// one compiled program tries any choice of scales, weights and layers.
#pragma once

#include "quantize/histogram.h"
#include "quantize/plan.h"
#include "quantize/program.h"
#include "quantize/weights.h"

namespace sinter::quantize {

/// One choice: what differs from trial to trial.
struct Setting {
  std::vector<std::optional<Scale>> values; ///< per value of the plan; none: it stays float
  WeightsOfLayers weights;
  std::vector<std::vector<float>> biases;
};

/// Copies of the model in which `values` are outputs too, behind its own.
onnx::ModelProto withOutputs(const onnx::ModelProto &model, llvm::ArrayRef<std::string> values);

/// How far outputs are from those of the float model.
struct Difference {
  double loss = 0;         ///< the root of the summed squared differences, as a share of the outputs' own
  double disagreement = 0; ///< the share of rows, along the last axis, whose largest value is elsewhere
  double divergence = 0;   ///< Kullback-Leibler's in nats, mean over rows of the first output: of probabilities, or of
                           ///< logits as their softmax
};
/// The outputs of `after` beside those of `before` on the samples.
llvm::Expected<Difference> differenceBetween(const onnx::ModelProto &before, const onnx::ModelProto &after,
                                             size_t samples, MakeProgram makeProgram);

class Trial {
public:
  /// `plan` has all values that any setting quantizes. Runs the float model on the first `samples` of the samples.
  static llvm::Expected<std::unique_ptr<Trial>> make(const onnx::ModelProto &model, const std::vector<Layer> &layers,
                                                     const Plan &plan, const Grid &grid, size_t samples,
                                                     MakeProgram makeProgram);

  /// Everything float.
  Setting floats() const;

  /// How far the outputs are from the float model's: the root of the summed squared differences, as a share of the
  /// outputs' own.
  llvm::Expected<double> loss(const Setting &setting);
  /// The share of samples on which the place of the largest value along the last axis differs, over all outputs.
  double disagreement() const { return differing; } ///< of the last loss()

  /// Per channel, the mean that a layer's contraction lacks under `setting`.
  llvm::Expected<std::vector<float>> missingMean(const Setting &setting, size_t layer);

private:
  Trial() = default;
  void forEachInput(const Setting &setting, TakeTensor take) const;
  /// Calls `visit` with each sample's outputs.
  llvm::Error runAll(const Setting &setting,
                     llvm::function_ref<void(size_t sample, std::vector<FloatTensor> outputs)> visit);

  const std::vector<Layer> *layers = nullptr;
  Grid grid;
  size_t samples = 0, outputs = 0, planValues = 0; ///< outputs: the model's own
  std::vector<int> meanOf;                         ///< per layer: the output that holds its mean, or -1
  std::unique_ptr<Program> program;
  std::vector<std::vector<FloatTensor>> reference; ///< per sample
  double differing = 0;
};

} // namespace sinter::quantize
