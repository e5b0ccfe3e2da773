// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/against_model.h"

#include "driver/answer.h"
#include "driver/error_saying.h"
#include "driver/layers.h"
#include "driver/oracle.h"
#include "driver/progress.h"
#include "driver/quantized_array.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sinter {
namespace {
/// Numbers of the program beside those of the float model.
void addElements(SignalToNoise &ratio, const HostArray &actual, const HostArray &expected, const FloatName &meaning) {
  for (int64_t i = 0, n = expected.size(); i < n; ++i) {
    double value = numberAt(actual, i);
    if (meaning.isQuantized())
      value = meaning.scale * (value - static_cast<double>(meaning.zeroPoint));
    ratio.add(value, numberAt(expected, i));
  }
}

/// The tensors inside: what is watched, and what each stands for.
class Inside {
public:
  explicit Inside(WatchedValues watched) : watched(std::move(watched)), ratios(this->watched.values.size()) {}

  Error ask(const BuiltProgram &built, ArrayRef<DataSet> sets, StringRef model) {
    std::vector<std::string> names, floats;
    for (const ValueReport *value : watched.values)
      names.push_back(value->name);
    Expected<std::vector<FloatName>> found = floatNames(built.job.model, names, built.staging->folder());
    if (!found)
      return found.takeError();
    meanings = std::move(*found);
    for (const FloatName &meaning : meanings)
      floats.push_back(meaning.name);
    std::vector<std::vector<HostArray>> inputs;
    for (const DataSet &set : sets)
      inputs.push_back(set.inputs);
    auto values = referenceValues(model, built.program->info(), inputs, floats, built.staging->folder());
    if (!values)
      return values.takeError();
    expected = std::move(*values);
    for (auto [number, set] : enumerate(sets)) // inputs are values too, which no node makes
      for (size_t i = 0; i < floats.size(); ++i)
        for (const auto &[input, tensor] : zip(set.inputs, built.program->info().inputs))
          if (floats[i] == tensor.name)
            expected[number][i] = dequantized(input, tensor);
    return Error::success();
  }
  const std::vector<WatchedBuffer> &buffers() const { return watched.buffers; }
  void add(size_t set, ArrayRef<std::string> bytes) {
    for (size_t i = 0; i < ratios.size(); ++i)
      if (std::string reason = addValue(i, expected[set][i], bytes[i]); !reason.empty())
        reasons[i] = reason;
  }
  void report(AgainstModel &result) const {
    for (size_t i = 0; i < ratios.size(); ++i)
      if (auto reason = reasons.find(i); reason != reasons.end())
        result.skipped.push_back({watched.values[i]->name, reason->second});
      else
        result.inside.push_back({meanings[i].name, watched.buffers[i].kernel, ratios[i]});
    for (const LayerComparison::Skipped &skipped : watched.skipped)
      result.skipped.push_back({skipped.value, skipped.reason});
  }

private:
  /// Why it is not compared, or nothing.
  std::string addValue(size_t i, const std::optional<HostArray> &reference, StringRef bytes) {
    const FloatName &meaning = meanings[i];
    if (!reference)
      return "the float model has no such value";
    if (bytes.empty())
      return "its kernel did not run";
    HostArray form = *reference;
    if (meaning.isQuantized())
      form = HostArray::zeros(meaning.isSigned ? ElementType::Int8 : ElementType::UInt8, reference->dims);
    std::string reason;
    std::optional<HostArray> actual = inOrderOf(form, bytes, *watched.values[i], reason);
    if (actual)
      addElements(ratios[i], *actual, *reference, meaning);
    return reason;
  }

  WatchedValues watched;
  std::vector<FloatName> meanings;
  std::vector<SignalToNoise> ratios;
  std::map<size_t, std::string> reasons;
  std::vector<std::vector<std::optional<HostArray>>> expected; ///< per data set
};
} // namespace

double SignalToNoise::decibels() const {
  return noise > 0 ? 10 * std::log10(signal / noise) : std::numeric_limits<double>::infinity();
}

Expected<AgainstModel> compareWithModel(const BuiltProgram &built, const ModelReport &report, ArrayRef<DataSet> sets,
                                        StringRef model, bool inside, int threads) {
  const ModelInfo &info = built.program->info();
  AgainstModel result{model.str(), sets.size(), {}, {}, {}};
  for (const TensorInfo &output : info.outputs)
    result.outputs.push_back({output.name, -1, {}});
  Progress progress(("asking onnxruntime about " + model).str());
  std::vector<std::vector<HostArray>> inputs;
  for (const DataSet &set : sets)
    inputs.push_back(set.inputs);
  auto outputs = referenceOutputs(model, info, inputs, built.staging->folder());
  if (!outputs)
    return outputs.takeError();
  std::optional<Inside> tensors;
  if (inside) {
    tensors.emplace(watchedValues(report));
    if (Error error = tensors->ask(built, sets, model))
      return std::move(error);
  }
  progress.step("running it on " + std::to_string(sets.size()) + " data sets");
  RunOptions options;
  options.threads = threads;
  if (tensors)
    options.watched = tensors->buffers();
  for (auto [number, set] : enumerate(sets)) {
    progress.count(number, sets.size());
    Expected<RunResult> run = built.program->run(set.inputs, options);
    if (!run)
      return run.takeError();
    if (run->status != 0)
      return errorSaying(set.name + ": the call ended with status " + Twine(run->status) + ": " +
                         statusText(run->status));
    for (auto [i, output] : enumerate(run->outputs)) {
      HostArray actual = dequantized(output, info.outputs[i]);
      const HostArray &expected = (*outputs)[number][i];
      if (actual.dims != expected.dims || actual.type == ElementType::String)
        return errorSaying("output '" + actual.name + "' is " + describe(actual.type, actual.dims) +
                           "; of the float model " + describe(expected.type, expected.dims));
      addElements(result.outputs[i].ratio, actual, expected, {});
    }
    if (tensors)
      tensors->add(number, run->watched);
  }
  if (tensors)
    tensors->report(result);
  return result;
}

void print(const AgainstModel &result, raw_ostream &out) {
  out << "against " << result.model << ", over " << result.sets << " data sets: signal to noise\n";
  auto line = [&](StringRef what, const AgainstModel::Value &value) {
    out << format("  %7.1f dB  ", value.ratio.decibels()) << what << value.name << "\n";
  };
  for (const AgainstModel::Value &value : result.inside)
    line("call " + std::to_string(value.call) + ", ", value);
  for (const AgainstModel::Value &value : result.outputs)
    line("output ", value);
  for (const AgainstModel::Skipped &skipped : result.skipped)
    out << "        -     " << skipped.name << ": not compared, " << skipped.reason << "\n";
  if (result.inside.empty())
    return;
  const AgainstModel::Value &least =
      *llvm::min_element(result.inside, [](const AgainstModel::Value &a, const AgainstModel::Value &b) {
        return a.ratio.decibels() < b.ratio.decibels();
      });
  out << "most noise: " << least.name << format(", %.1f dB\n", least.ratio.decibels());
}

json::Object jsonOf(const AgainstModel &result) {
  auto list = [](ArrayRef<AgainstModel::Value> values) {
    json::Array array;
    for (const AgainstModel::Value &value : values) {
      double decibels = value.ratio.decibels();
      json::Object object{{"name", utf8(value.name)},
                          {"sqnr_db", std::isfinite(decibels) ? json::Value(decibels) : json::Value(nullptr)}};
      if (value.call >= 0)
        object["call"] = value.call;
      array.push_back(std::move(object));
    }
    return array;
  };
  json::Array skipped;
  for (const AgainstModel::Skipped &other : result.skipped)
    skipped.push_back(json::Object{{"value", utf8(other.name)}, {"reason", utf8(other.reason)}});
  return json::Object{{"model", utf8(result.model)},
                      {"data_sets", static_cast<int64_t>(result.sets)},
                      {"outputs", list(result.outputs)},
                      {"inside", list(result.inside)},
                      {"not_compared", std::move(skipped)}};
}

} // namespace sinter
