// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running trials and comparing them with the float model. The model that is run: trial_model.cpp.
#include "quantize/trial.h"

#include "quantize/trial_model.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {

Setting Trial::floats() const {
  Setting setting;
  setting.values.resize(planValues);
  setting.weights.resize(layers->size());
  for (const Layer &layer : *layers)
    setting.biases.push_back(layer.bias);
  return setting;
}

void Trial::forEachInput(const Setting &setting, TakeTensor take) const {
  for (const std::optional<Scale> &scale : setting.values) {
    auto number = [&](double value) { take({{}, {static_cast<float>(value)}}); };
    number(scale ? static_cast<double>(scale->scale) : -1);
    number(scale ? grid.low - scale->zero : 0);
    number(scale ? grid.high - scale->zero : 0);
  }
  for (size_t l = 0; l < layers->size(); ++l) {
    const Layer &layer = (*layers)[l];
    if (!layer.weight)
      continue;
    if (const std::shared_ptr<const IntegerWeights> &integers = setting.weights[l])
      take({layer.weight->dims, dequantized(*integers, layer.weight->dims, layer.axis)});
    else
      take(*layer.weight);
    if (layer.bias.empty() && !layer.takesBias)
      continue;
    std::vector<float> bias = setting.biases[l];
    bias.resize(static_cast<size_t>(layer.weight->dims[static_cast<size_t>(layer.axis)]), 0);
    take({layer.bias.empty() ? std::vector<int64_t>{static_cast<int64_t>(bias.size())} : layer.biasDims,
          std::move(bias)});
  }
}

Error Trial::runAll(const Setting &setting,
                    llvm::function_ref<void(size_t sample, std::vector<FloatTensor> outputs)> visit) {
  if (Error error = program->setExtra([&](TakeTensor take) { forEachInput(setting, take); }))
    return error;
  for (size_t sample = 0; sample < samples; ++sample) {
    Expected<std::vector<FloatTensor>> outputs = program->run(sample);
    if (!outputs)
      return outputs.takeError();
    visit(sample, std::move(*outputs));
  }
  return Error::success();
}

Expected<std::unique_ptr<Trial>> Trial::make(const onnx::ModelProto &model, const std::vector<Layer> &layers,
                                             const Plan &plan, const Grid &grid, size_t samples,
                                             MakeProgram makeProgram) {
  std::unique_ptr<Trial> trial(new Trial);
  trial->layers = &layers;
  trial->grid = grid;
  trial->samples = samples;
  trial->planValues = plan.values.size();
  trial->outputs = static_cast<size_t>(model.graph().output_size());
  TrialModel instrumented = makeTrialModel(model, layers, plan);
  trial->meanOf = instrumented.meanOf;
  Expected<std::unique_ptr<Program>> program = makeProgram(std::move(instrumented.model));
  if (!program)
    return program.takeError();
  trial->program = std::move(*program);
  if (Error error = trial->runAll(trial->floats(), [&](size_t, std::vector<FloatTensor> outputs) {
        trial->reference.push_back(std::move(outputs));
      }))
    return std::move(error);
  return trial;
}

namespace {
/// How many rows (along the last dim) have their largest value elsewhere.
int64_t differingRows(const FloatTensor &a, const FloatTensor &b, int64_t &rows) {
  auto width = static_cast<std::ptrdiff_t>(a.dims.empty() ? 1 : a.dims.back());
  int64_t differing = 0;
  if (width < 2 || a.values.size() != b.values.size())
    return 0;
  for (size_t at = 0; at < a.values.size(); at += static_cast<size_t>(width), ++rows) {
    auto place = [&](const FloatTensor &t) {
      auto begin = t.values.begin() + static_cast<std::ptrdiff_t>(at);
      return std::max_element(begin, begin + width) - begin;
    };
    differing += place(a) != place(b);
  }
  return differing;
}

/// Sums up how far outputs are from what is expected.
struct Distance {
  double error = 0, power = 0;
  int64_t rows = 0, wrong = 0;

  void add(const FloatTensor &expected, const FloatTensor &actual) {
    wrong += differingRows(expected, actual, rows);
    for (size_t i = 0; i < expected.values.size() && i < actual.values.size(); ++i) {
      auto value = static_cast<double>(expected.values[i]), difference = static_cast<double>(actual.values[i]) - value;
      if (!std::isfinite(value))
        continue;
      if (!std::isfinite(difference))
        difference = value;
      error += difference * difference;
      power += value * value;
    }
  }
  double loss() const { return power > 0 ? std::sqrt(error / power) : std::sqrt(error); }
  double disagreement() const { return rows ? static_cast<double>(wrong) / static_cast<double>(rows) : 0; }
};

/// Logarithms of the probabilities that a row is, or that its softmax is.
std::vector<double> logProbabilities(ArrayRef<float> row) {
  double sum = 0;
  for (float value : row)
    sum += static_cast<double>(value);
  bool areProbabilities = std::abs(sum - 1) < 1e-3 && llvm::all_of(row, [](float value) { return value >= 0; });
  std::vector<double> logs;
  if (areProbabilities) {
    for (float value : row)
      logs.push_back(std::log(std::max(static_cast<double>(value), 1e-30)));
    return logs;
  }
  auto most = static_cast<double>(*std::max_element(row.begin(), row.end()));
  double total = 0;
  for (float value : row)
    total += std::exp(static_cast<double>(value) - most);
  for (float value : row)
    logs.push_back(static_cast<double>(value) - most - std::log(total));
  return logs;
}

/// Sums up how far distributions are from what is expected: sum of p log(p / q).
struct Divergence {
  double sum = 0;
  int64_t rows = 0;

  void add(const FloatTensor &expected, const FloatTensor &actual) {
    auto width = static_cast<size_t>(expected.dims.empty() ? 1 : expected.dims.back());
    if (width < 2 || expected.values.size() != actual.values.size())
      return;
    for (size_t at = 0; at < expected.values.size(); at += width, ++rows) {
      std::vector<double> p = logProbabilities(ArrayRef(expected.values).slice(at, width)),
                          q = logProbabilities(ArrayRef(actual.values).slice(at, width));
      for (size_t i = 0; i < width; ++i)
        if (std::isfinite(p[i]) && std::isfinite(q[i]))
          sum += std::exp(p[i]) * (p[i] - q[i]);
    }
  }
  double mean() const { return rows ? std::max(sum / static_cast<double>(rows), 0.0) : 0; }
};
} // namespace

Expected<double> Trial::loss(const Setting &setting) {
  Distance distance;
  if (Error error = runAll(setting, [&](size_t sample, std::vector<FloatTensor> result) {
        for (size_t o = 0; o < outputs; ++o)
          distance.add(reference[sample][o], result[o]);
      }))
    return std::move(error);
  differing = distance.disagreement();
  return distance.loss();
}

Expected<Difference> differenceBetween(const onnx::ModelProto &before, const onnx::ModelProto &after, size_t samples,
                                       MakeProgram makeProgram) {
  Distance distance;
  Divergence divergence;
  Expected<std::unique_ptr<Program>> original = makeProgram(before);
  if (!original)
    return original.takeError();
  Expected<std::unique_ptr<Program>> changed = makeProgram(after);
  if (!changed)
    return changed.takeError();
  for (size_t sample = 0; sample < samples; ++sample) {
    Expected<std::vector<FloatTensor>> expected = (*original)->run(sample);
    if (!expected)
      return expected.takeError();
    Expected<std::vector<FloatTensor>> actual = (*changed)->run(sample);
    if (!actual)
      return actual.takeError();
    for (size_t o = 0; o < expected->size(); ++o)
      distance.add((*expected)[o], (*actual)[o]);
    if (!expected->empty())
      divergence.add(expected->front(), actual->front());
  }
  return Difference{distance.loss(), distance.disagreement(), divergence.mean()};
}

Expected<std::vector<float>> Trial::missingMean(const Setting &setting, size_t layer) {
  std::vector<double> sum;
  int output = meanOf[layer];
  if (output < 0)
    return std::vector<float>();
  if (Error error = runAll(setting, [&](size_t sample, std::vector<FloatTensor> result) {
        const std::vector<float> &expected = reference[sample][static_cast<size_t>(output)].values,
                                 &actual = result[static_cast<size_t>(output)].values;
        sum.resize(expected.size());
        for (size_t c = 0; c < sum.size() && c < actual.size(); ++c)
          sum[c] += static_cast<double>(expected[c]) - static_cast<double>(actual[c]);
      }))
    return std::move(error);
  std::vector<float> mean;
  for (double total : sum)
    mean.push_back(static_cast<float>(total / static_cast<double>(samples)));
  return mean;
}

} // namespace sinter::quantize
