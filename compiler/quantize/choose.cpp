// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries and keeps what loses least.
#include "quantize/choose.h"

#include "quantize/calibration.h"

#include <numeric>

using namespace llvm;

namespace sinter::quantize {

constexpr WeightRange weightRanges[] = {WeightRange::Largest, WeightRange::Mse};

Chooser::Chooser(const GraphEdit &edit, const std::vector<Layer> &layers, const Plan &plan,
                 std::vector<Histogram> histograms, const StaticOptions &options)
    : model(edit.model), layers(layers), plan(plan), histograms(std::move(histograms)), options(options),
      quantizedLayers(plan.layers), layerLoss(layers.size()) {}

void Chooser::setWeights(Setting &setting, WeightRange range) const {
  for (size_t l = 0; l < layers.size(); ++l) {
    const Layer &layer = layers[l];
    if (!layer.weight || !plan.layers[l])
      continue;
    IntegerWeights integers = quantizeWeights(*layer.weight, layer.axis, options.perChannel, range);
    int input = plan.find(layer.inputs.front());
    if (input >= 0 && setting.values[static_cast<size_t>(input)])
      makeRoomForBiases(layer, setting.values[static_cast<size_t>(input)]->scale, integers);
    setting.weights[l] = std::make_shared<const IntegerWeights>(std::move(integers));
  }
}

Error Chooser::choose(const onnx::ModelProto &instrumented, size_t samples, MakeProgram makeProgram) {
  soFar.trialSamples = std::min(samples, options.trialSamples);
  std::vector<Calibration> methods = {Calibration::MinMax, Calibration::Percentile, Calibration::Entropy,
                                      Calibration::Mse};
  if (options.calibration)
    methods = {*options.calibration};
  auto corrections = static_cast<size_t>(llvm::count(plan.layers, true)) + 1;
  size_t trials = std::size(weightRanges) + (options.biasCorrection == Choice::Off ? 0 : corrections);
  options.onPart("choosing ranges", (1 + methods.size() * trials) * soFar.trialSamples);
  Expected<std::unique_ptr<Trial>> made =
      Trial::make(instrumented, layers, plan, options.grid, soFar.trialSamples, makeProgram);
  if (!made)
    return made.takeError();
  trial = std::move(*made);
  for (Calibration method : methods) {
    Expected<Candidate> best = bestOf(method);
    if (!best)
      return best.takeError();
    soFar.losses.push_back({method, best->loss});
    if (leastLoss >= 0 && best->loss >= leastLoss)
      continue;
    leastLoss = best->loss;
    chosen = std::move(best->setting);
    soFar.calibration = method;
    soFar.disagreement = best->disagreement;
    soFar.biasesCorrected = best->isCorrected;
  }
  return Error::success();
}

/// Biases are corrected here, not for the winner alone: what is second before may be first after.
Expected<Chooser::Candidate> Chooser::bestOf(Calibration method) {
  Candidate best;
  for (WeightRange range : weightRanges) {
    Candidate tried;
    tried.setting = trial->floats();
    tried.setting.values = scalesFrom(histograms, plan, method, options.percent, options.grid);
    setWeights(tried.setting, range);
    Expected<double> loss = trial->loss(tried.setting);
    if (!loss)
      return loss.takeError();
    tried.loss = *loss;
    tried.disagreement = trial->disagreement();
    if (best.loss < 0 || tried.loss < best.loss)
      best = std::move(tried);
  }
  if (options.biasCorrection != Choice::Off)
    if (Error error = correctBiases(best))
      return std::move(error);
  return best;
}

/// Layer by layer, so that what one still lacks after the corrections before it is what it gets.
Error Chooser::correctBiases(Candidate &candidate) {
  Setting corrected = candidate.setting;
  for (size_t l = 0; l < layers.size(); ++l) {
    if (!plan.layers[l])
      continue;
    Expected<std::vector<float>> missing = trial->missingMean(corrected, l);
    if (!missing)
      return missing.takeError();
    corrected.biases[l].resize(std::max(corrected.biases[l].size(), missing->size()), 0);
    for (size_t c = 0; c < missing->size(); ++c)
      corrected.biases[l][c] += (*missing)[c];
  }
  Expected<double> loss = trial->loss(corrected);
  if (!loss)
    return loss.takeError();
  if (options.biasCorrection == Choice::Auto && *loss >= candidate.loss)
    return Error::success();
  candidate.loss = *loss;
  candidate.disagreement = trial->disagreement();
  candidate.isCorrected = true;
  candidate.setting = std::move(corrected);
  return Error::success();
}

Setting Chooser::withLayers(const std::vector<bool> &wanted) const {
  onnx::ModelProto copy = model;
  Plan reduced = makePlan(GraphEdit(copy), layers, wanted);
  Setting setting = trial->floats();
  for (const Plan::Value &value : reduced.values) {
    auto at = static_cast<size_t>(plan.find(value.name));
    setting.values[at] = chosen.values[at];
  }
  for (size_t l = 0; l < layers.size(); ++l)
    if (reduced.layers[l]) {
      setting.weights[l] = chosen.weights[l];
      setting.biases[l] = chosen.biases[l];
    }
  return setting;
}

Error Chooser::measureLayers() {
  options.onPart("measuring layers", static_cast<size_t>(llvm::count(plan.layers, true)) * soFar.trialSamples);
  for (size_t l = 0; l < layers.size(); ++l) {
    if (!plan.layers[l])
      continue;
    std::vector<bool> only(layers.size(), false);
    only[l] = true;
    Expected<double> loss = trial->loss(withLayers(only));
    if (!loss)
      return loss.takeError();
    layerLoss[l] = *loss;
  }
  return Error::success();
}

Error Chooser::leaveOut(double most) {
  std::vector<size_t> order;
  for (size_t l = 0; l < layers.size(); ++l)
    if (layerLoss[l])
      order.push_back(l);
  options.onPart("leaving layers float", order.size() * soFar.trialSamples);
  llvm::stable_sort(order, [&](size_t a, size_t b) { return *layerLoss[a] > *layerLoss[b]; });
  for (size_t l : order) {
    if (leastLoss <= most)
      return Error::success();
    std::vector<bool> wanted = quantizedLayers;
    wanted[l] = false;
    Setting setting = withLayers(wanted);
    Expected<double> loss = trial->loss(setting);
    if (!loss)
      return loss.takeError();
    quantizedLayers = wanted;
    leastLoss = *loss;
    soFar.disagreement = trial->disagreement();
    finalSetting = std::move(setting);
  }
  return Error::success();
}

void Chooser::report(StaticReport &report) const {
  bool equalized = report.equalized;
  report = soFar;
  report.equalized = equalized;
  report.loss = leastLoss;
  for (size_t l = 0; l < layers.size(); ++l)
    report.layers.push_back(
        {layers[l].name, model.graph().node(layers[l].node).op_type(), quantizedLayers[l], layerLoss[l]});
  for (const std::optional<Scale> &scale : setting().values)
    report.values += scale.has_value();
  reportWeights(report);
  reportRanges(report);
}

void Chooser::reportWeights(StaticReport &report) const {
  for (const auto &[l, layer] : enumerate(layers))
    if (const std::shared_ptr<const IntegerWeights> &integers = setting().weights[l])
      report.weights.push_back({layer.name, model.graph().node(layer.node).op_type(),
                                static_cast<int64_t>(layer.weight->values.size() * sizeof(float)),
                                static_cast<int64_t>(integers->values.size() + integers->scales.size() * sizeof(float)),
                                lossOf(layer.weight->values, dequantized(*integers, layer.weight->dims, layer.axis)),
                                outlineOf(layer.weight->values)});
}

void Chooser::reportRanges(StaticReport &report) const {
  std::vector<bool> told(histograms.size(), false);
  for (const auto &[v, value] : enumerate(plan.values)) {
    auto group = static_cast<size_t>(value.group);
    if (!setting().values[v] || told[group])
      continue;
    told[group] = true;
    report.ranges.push_back(rangeReport(value.name, histograms[group], *setting().values[v], options.grid));
  }
}

} // namespace sinter::quantize
