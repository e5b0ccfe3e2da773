// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathering of data sets.
#include "driver/data_sets.h"

#include "driver/dim_polynomials.h"
#include "driver/error_saying.h"
#include "driver/oracle.h"
#include "driver/progress.h"
#include "driver/quantized_array.h"
#include "driver/samples.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
Expected<std::vector<DataSet>> readRecorded(StringRef folder, const ModelInfo &info) {
  std::vector<DataSet> sets;
  for (const std::string &path : dataSetsIn(folder)) {
    Expected<std::vector<HostArray>> inputs = readDataSet(path, "input", info.inputs);
    if (!inputs)
      return inputs.takeError();
    Expected<std::vector<HostArray>> outputs = readDataSet(path, "output", info.outputs);
    if (!outputs)
      return outputs.takeError();
    for (const auto &[input, tensor] : zip(*inputs, info.inputs))
      input = quantized(std::move(input), tensor);
    sets.push_back({sys::path::filename(path).str(), std::move(*inputs), dequantized(*outputs, info.outputs)});
  }
  if (sets.empty())
    return errorSaying(folder + ": no test_data_set_* there");
  return sets;
}

/// Outputs given by --expect, in the model's order; what was not given is not compared.
Expected<std::vector<HostArray>> givenOutputs(const DataFlags &flags, const ModelInfo &info) {
  std::vector<HostArray> outputs(info.outputs.size());
  for (const std::string &given : flags.expected) {
    auto [name, path] = StringRef(given).split('=');
    auto tensor =
        llvm::find_if(info.outputs, [&, name = name](const TensorInfo &output) { return output.name == name; });
    if (tensor == info.outputs.end())
      return errorSaying("--expect " + given + ": the model has no output of that name");
    std::string problem;
    std::optional<HostArray> array = readTensor(path, *tensor, tensor->dims, problem);
    if (!array)
      return errorSaying(problem);
    outputs[static_cast<size_t>(tensor - info.outputs.begin())] = dequantized(std::move(*array), *tensor);
  }
  return outputs;
}

/// onnxruntime's outputs, for the data sets that have none.
Error askOnnxruntime(std::vector<DataSet> &sets, const BuiltProgram &built) {
  std::vector<std::vector<HostArray>> inputs;
  for (const DataSet &set : sets)
    if (set.expected.empty())
      inputs.push_back(set.inputs);
  if (inputs.empty())
    return Error::success();
  Progress progress("asking onnxruntime");
  Expected<std::vector<std::vector<HostArray>>> reference =
      referenceOutputs(built.job.model, built.program->info(), inputs, built.staging->folder());
  if (!reference)
    return reference.takeError();
  auto next = reference->begin();
  for (DataSet &set : sets)
    if (set.expected.empty()) {
      set.expected = std::move(*next++);
      set.isByOnnxruntime = true;
    }
  return Error::success();
}

/// What --size says, and --dim of dims that are polynomials of others.
std::vector<std::string> givenSizes(const DataFlags &flags, const BuiltProgram &built) {
  std::vector<std::string> sizes(flags.inputs.sizes.begin(), flags.inputs.sizes.end());
  for (const auto &polynomial : knownPolynomials(built.job))
    if (none_of(sizes, [&](StringRef size) { return size.rsplit('=').first == polynomial.getKey(); }))
      sizes.push_back((polynomial.getKey() + "=" + textOf(polynomial.getValue())).str());
  return sizes;
}

/// The sizes of the call behind one with these inputs: states that grow are as large as that call leaves them.
Error moveOn(const DataFlags &flags, const BuiltProgram &built, const DataSet &before, InputSizes &sizes) {
  Expected<RunResult> result = built.program->run(before.inputs);
  if (!result)
    return result.takeError();
  if (result->status != 0)
    return errorSaying(before.name + ": the call ended with status " + Twine(result->status) + ": " +
                       statusText(result->status) + " (--size says how large dims are)");
  Expected<InputSizes> next = nextSizes(built.program->info(), givenSizes(flags, built), sizes, result->outputs);
  if (!next)
    return next.takeError();
  sizes = std::move(*next);
  return Error::success();
}

/// What was recorded. A recording of inputs alone is compared with onnxruntime.
Expected<std::vector<DataSet>> recordedDataSets(StringRef folder, const BuiltProgram &built, bool asks) {
  Expected<std::vector<DataSet>> sets = readRecorded(folder, built.program->info());
  if (!sets || !asks)
    return sets;
  if (Error error = askOnnxruntime(*sets, built))
    return std::move(error);
  const std::vector<TensorInfo> &outputs = built.program->info().outputs;
  for (const DataSet &set : *sets)
    for (size_t i = set.expected.size(); i < outputs.size(); ++i)
      errs() << "sinter: note: " << set.name << " has no output_" << i << ".pb: output '" << outputs[i].name
             << "' is not compared\n";
  return sets;
}

/// Samples without outputs, as quantize takes them.
Expected<std::vector<DataSet>> samplesIn(StringRef folder, const BuiltProgram &built, bool asks,
                                         Diagnostics &diagnostics) {
  std::vector<DataSet> sets;
  std::vector<std::string> names;
  std::vector<Sample> samples = readSamples(folder, built.program->info(), diagnostics, &names);
  for (auto [sample, name] : zip(samples, names))
    sets.push_back({name, std::move(sample), {}});
  if (Error error = asks ? askOnnxruntime(sets, built) : Error::success())
    return std::move(error);
  return sets;
}
} // namespace

Expected<std::vector<DataSet>> gatherDataSets(const DataFlags &flags, const BuiltProgram &built, bool asks,
                                              Diagnostics &diagnostics) {
  const ModelInfo &info = built.program->info();
  StringRef beside = sys::path::parent_path(built.job.model);
  bool inputsGiven =
      !flags.inputs.files.empty() || !flags.inputs.named.empty() || flags.inputs.random.getNumOccurrences();
  if (!flags.data.empty() && !sys::fs::is_directory(flags.data))
    return errorSaying("--data " + flags.data + " is not a folder");
  if (!flags.data.empty())
    return dataSetsIn(flags.data).empty() ? samplesIn(flags.data, built, asks, diagnostics)
                                          : recordedDataSets(flags.data, built, asks);
  // What is recorded beside a model has the model's form.
  if (!inputsGiven && built.job.forms.empty() && !dataSetsIn(beside.empty() ? "." : beside).empty())
    return recordedDataSets(beside.empty() ? "." : beside, built, asks);

  std::vector<DataSet> sets;
  bool oneSet = !flags.inputs.files.empty() || !flags.inputs.named.empty();
  Expected<InputSizes> sizes = firstSizes(info, givenSizes(flags, built));
  if (!sizes)
    return sizes.takeError();
  for (unsigned set = 0; set < (oneSet ? 1 : flags.sets.getValue()); ++set) {
    if (set > 0 && hasGrowingStates(info))
      if (Error error = moveOn(flags, built, sets.back(), *sizes))
        return std::move(error);
    Expected<std::vector<HostArray>> inputs = flags.inputs.gather(info, *sizes, set, /*makeUp=*/true);
    if (!inputs)
      return inputs.takeError();
    sets.push_back({oneSet ? "given inputs" : "random inputs " + std::to_string(set), std::move(*inputs), {}});
  }
  if (!flags.expected.empty()) {
    Expected<std::vector<HostArray>> outputs = givenOutputs(flags, info);
    if (!outputs)
      return outputs.takeError();
    sets.front().expected = std::move(*outputs);
    return sets;
  }
  if (!asks)
    return sets;
  if (Error error = askOnnxruntime(sets, built))
    return std::move(error);
  for (size_t set = 1; set < sets.size(); ++set)
    for (size_t i = 0; i < info.inputs.size(); ++i)
      if (int state = info.inputs[i].state; state >= 0)
        sets[set].inputs[i] = sets[set - 1].expected[static_cast<size_t>(state)];
  return sets;
}

void carryStates(DataSet &set, const DataSet &before, ArrayRef<HostArray> left, const ModelInfo &info) {
  for (auto [input, tensor] : zip(set.inputs, info.inputs)) {
    auto state = static_cast<size_t>(tensor.state);
    if (tensor.state < 0 || state >= before.expected.size() || state >= left.size())
      continue;
    const HostArray &expected = before.expected[state];
    if (input.dims == expected.dims && input.bytes == expected.bytes && input.strings == expected.strings)
      input = left[state];
  }
}

} // namespace sinter
