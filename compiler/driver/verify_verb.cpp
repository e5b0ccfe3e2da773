// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter verify: how far a model's outputs are from a recording, from given files, or from onnxruntime on the same
// inputs.
#include "driver/build_program.h"
#include "driver/compare.h"
#include "driver/inputs.h"
#include "driver/layers.h"
#include "driver/oracle.h"
#include "driver/progress.h"
#include "driver/quantized_array.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
Error failure(const Twine &what) { return createStringError(inconvertibleErrorCode(), what); }

struct DataSet {
  std::string name;
  std::vector<HostArray> inputs, expected;
};

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
    return failure(folder + ": no test_data_set_* there");
  return sets;
}

/// What outputs are held to.
struct Tolerance {
  double share;             ///< of the largest value
  StringMap<double> scales; ///< by name: what it is a share of, where that is more
  StringMap<double> ranges; ///< by name: the same, where the function that makes an output bounds it
  StringMap<double> steps;  ///< by name: what is enough in any case
};

/// How far half types' representable values lie apart at most, as a share of the largest: each operator rounds to one.
double spacing(ElementType type) {
  return type == ElementType::Float16 ? 0x1p-10 : type == ElementType::BFloat16 ? 0x1p-7 : 0;
}

/// Prints one line per output; whether all are within the tolerance.
bool printComparison(const DataSet &set, ArrayRef<HostArray> actual, const Tolerance &tolerance) {
  bool good = true;
  outs() << set.name << "\n";
  for (size_t i = 0; i < set.expected.size(); ++i) {
    Comparison c = compare(actual[i], set.expected[i]);
    double given = tolerance.scales.lookup(actual[i].name), range = tolerance.ranges.lookup(actual[i].name);
    c.largest = std::max({c.largest, given, range});
    double step = std::max(tolerance.steps.lookup(actual[i].name), spacing(actual[i].type) * c.largest);
    bool close = isClose(c, tolerance.share, step);
    good &= close;
    outs() << "  " << left_justify(actual[i].name, 24) << " " << textOf(c, actual[i].type);
    if (close && !isClose(c, tolerance.share))
      outs() << format("  ok: within one step of %.3g\n", step);
    else
      outs() << (close ? "  ok\n" : "  DIFFERS\n");
    if (close || !c.mismatch.empty())
      continue;
    outs() << format("    element %lld is %.9g instead of %.9g; tolerance %.3g of %s %.3g",
                     static_cast<long long>(c.worst), numberAt(actual[i], c.worst), numberAt(set.expected[i], c.worst),
                     tolerance.share, c.largest == range ? "the output's range" : "the largest value", c.largest);
    if (step > 0)
      outs() << format(", or one step of %.3g", step);
    outs() << "\n    --tolerance SHARE and --scale '" << actual[i].name << "=VALUE' change that\n";
  }
  return good;
}

struct VerifyFlags {
  InputFlags inputs;
  Flag<std::string> data{
      "data", Says("folder of recorded data: test_data_set_*/{input,output}_*.pb (default: beside the model)"),
      Takes("folder")};
  FlagList expected{"expect", Says("an output by name, instead of onnxruntime's"), Takes("NAME=FILE")};
  Flag<unsigned> sets{"sets", Says("how many random inputs to compare with onnxruntime on"), Takes("n"), Initially(5),
                      AtLeast(1)};
  Flag<double> tolerance{"tolerance",
                         Says("largest difference allowed, as a share of the output's largest value; outputs made of "
                              "quantized tensors, and those of half types, may be one step of these off"),
                         Takes("share"), Initially(1e-4)};
  FlagList scales{"scale",
                  Says("what the tolerance of an output is a share of, where that is more than its largest value"),
                  Takes("NAME=VALUE")};
  Flag<bool> layers{"layers", Says("compare each tensor that a kernel leaves in memory too, on the first data set")};
};

Error compareLayersOf(const BuiltProgram &built, const ModelReport &report, const DataSet &set, double tolerance) {
  Progress progress("asking onnxruntime for the values inside");
  Expected<LayerComparison> layers =
      compareLayers(*built.program, report, built.job.model, set.inputs, built.staging->folder());
  progress.done();
  if (!layers)
    return layers.takeError();
  printLayers(*layers, tolerance, outs());
  return Error::success();
}

/// Outputs given by --expect, in the model's order; what was not given is not compared.
Expected<std::vector<HostArray>> givenOutputs(const VerifyFlags &flags, const ModelInfo &info) {
  std::vector<HostArray> outputs(info.outputs.size());
  for (const std::string &given : flags.expected) {
    auto [name, path] = StringRef(given).split('=');
    auto tensor =
        llvm::find_if(info.outputs, [&, name = name](const TensorInfo &output) { return output.name == name; });
    if (tensor == info.outputs.end())
      return failure("--expect " + given + ": the model has no output of that name");
    std::string problem;
    std::optional<HostArray> array = readTensor(path, *tensor, tensor->dims, problem);
    if (!array)
      return failure(problem);
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
    if (set.expected.empty())
      set.expected = std::move(*next++);
  return Error::success();
}

/// What was recorded. A recording of inputs alone is compared with onnxruntime.
Expected<std::vector<DataSet>> recordedDataSets(StringRef folder, const BuiltProgram &built) {
  Expected<std::vector<DataSet>> sets = readRecorded(folder, built.program->info());
  if (!sets)
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

Expected<std::vector<DataSet>> gatherDataSets(const VerifyFlags &flags, const BuiltProgram &built) {
  const ModelInfo &info = built.program->info();
  StringRef beside = sys::path::parent_path(built.job.model);
  bool inputsGiven =
      !flags.inputs.files.empty() || !flags.inputs.named.empty() || flags.inputs.random.getNumOccurrences();
  if (!flags.data.empty())
    return recordedDataSets(flags.data, built);
  if (!inputsGiven && !dataSetsIn(beside.empty() ? "." : beside).empty())
    return recordedDataSets(beside.empty() ? "." : beside, built);

  std::vector<DataSet> sets;
  bool oneSet = !flags.inputs.files.empty() || !flags.inputs.named.empty();
  for (unsigned set = 0; set < (oneSet ? 1 : flags.sets.getValue()); ++set) {
    Expected<std::vector<HostArray>> inputs = flags.inputs.gather(info, set, /*makeUp=*/true);
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
  if (Error error = askOnnxruntime(sets, built))
    return std::move(error);
  for (size_t set = 1; set < sets.size(); ++set)
    for (size_t i = 0; i < info.inputs.size(); ++i)
      if (int state = info.inputs[i].state; state >= 0)
        sets[set].inputs[i] = sets[set - 1].expected[static_cast<size_t>(state)];
  return sets;
}

/// A data set whose state is what the one before is to leave there continues it: with the state that our own call left.
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
} // namespace

int verifyVerb(const Arguments &arguments) {
  CompileFlags compileFlags;
  VerifyFlags flags;
  BoardFlag board;
  static constexpr StringRef examples[] = {
      "sinter verify kws.onnx                           made-up inputs, onnxruntime on the other side",
      "sinter verify kws.onnx --data recorded --layers  recorded inputs, each tensor inside too"};
  if (std::optional<ExitStatus> status = parseFlags(
          arguments, {"Compares a model's outputs with a recording, given files, or onnxruntime.", examples}))
    return *status;
  Tolerance tolerance{flags.tolerance, {}, {}, {}};
  for (const std::string &scale : flags.scales) {
    auto [name, value] = StringRef(scale).rsplit('=');
    if (name.empty() || value.getAsDouble(tolerance.scales[name])) {
      printError("--scale " + scale + " is not NAME=VALUE");
      return ExitUsage;
    }
  }
  std::string ignored;
  if (std::optional<Target> target = findAnyTarget(compileFlags.target, ignored);
      flags.layers && target && target->isGpu()) {
    printError("--layers reads what kernels leave in the arena, which on a GPU is the device's memory",
               "--layers with a CPU's target compares the same tensors; outputs alone are compared on GPUs");
    return ExitUsage;
  }
  BuiltProgram built;
  if (ExitStatus status = buildProgram(compileFlags, board.board, built); status != ExitOk)
    return status;
  if (flags.layers && built.program->board()) {
    printError("--layers needs a target with an operating system: a board's program has no files to write tensors to",
               "give --target a processor whose programs run here; outputs alone are compared on boards too");
    return ExitUsage;
  }
  Expected<ModelReport> report = readReport(*built.staging, built.job.codegen.prefix);
  if (!report) {
    printError(toString(report.takeError()));
    return ExitUsage;
  }
  tolerance.steps = report->steps;
  tolerance.ranges = report->ranges;
  Expected<std::vector<DataSet>> sets = gatherDataSets(flags, built);
  if (!sets) {
    printError(toString(sets.takeError()));
    return ExitUsage;
  }
  bool good = true;
  RunOptions options;
  options.threads = compileFlags.threads;
  std::vector<HostArray> left;
  for (size_t number = 0; number < sets->size(); ++number) {
    DataSet &set = (*sets)[number];
    if (number > 0)
      carryStates(set, (*sets)[number - 1], left, built.program->info());
    left.clear();
    Progress progress("running it on " + set.name);
    Expected<RunResult> result = built.program->run(set.inputs, options);
    progress.done();
    if (!result) {
      printError(set.name + ": " + toString(result.takeError()));
      good = false;
      continue;
    }
    if (result->status != 0) {
      printError(set.name + ": the call ended with status " + Twine(result->status) + ": " +
                 statusText(result->status));
      good = false;
      continue;
    }
    if (flags.layers && number == 0)
      if (Error error = compareLayersOf(built, *report, set, flags.tolerance)) {
        printError("--layers: " + toString(std::move(error)));
        return ExitUsage;
      }
    left = std::move(result->outputs);
    // What --expect left out is not compared.
    DataSet compared{set.name, {}, {}};
    std::vector<HostArray> actual;
    for (size_t i = 0; i < set.expected.size() && i < left.size(); ++i)
      if (set.expected[i].type != ElementType::Undefined) {
        actual.push_back(dequantized(left[i], built.program->info().outputs[i]));
        compared.expected.push_back(set.expected[i]);
      }
    good &= printComparison(compared, actual, tolerance);
  }
  outs() << (good ? "agrees\n" : "does not agree\n");
  return good ? ExitOk : ExitVerify;
}

} // namespace sinter
