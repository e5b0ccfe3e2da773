// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter verify: how far a model's outputs are from a recording, from given files, or from onnxruntime on the same
// inputs.
#include "driver/accuracy.h"
#include "driver/against_model.h"
#include "driver/answer.h"
#include "driver/data_sets.h"
#include "driver/layers.h"
#include "driver/progress.h"
#include "driver/quantized_array.h"
#include "driver/random_nodes.h"
#include "driver/verdict.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
/// From as many data sets on, those that agree are counted, not listed.
constexpr size_t manySets = 20;
/// Evaluations in float64 are slow: of so many data sets that differ.
constexpr size_t mostSettled = 3;

struct VerifyFlags {
  DataFlags data;
  Flag<double> tolerance{"tolerance",
                         Says("largest difference allowed, as a share of the output's largest value; outputs made of "
                              "quantized tensors, and those of half types, may be one step of these off"),
                         Takes("share"), Initially(1e-4)};
  FlagList scales{"scale",
                  Says("what the tolerance of an output is a share of, where that is more than its largest value"),
                  Takes("NAME=VALUE")};
  Flag<bool> layers{"layers", Says("compare each tensor that a kernel leaves in memory too, on the first data set")};
  Flag<std::string> againstModel{
      "against-model",
      Says("the float model that this quantized one was made of: says how much of the outputs "
           "is noise, with --layers of each tensor inside"),
      Takes("float.onnx")};
  Flag<std::string> labels{
      "labels",
      Says("the right answers of --data: an .npy of integers, or text with a number per line; says "
           "how often the first output's largest element is right, and where it is not"),
      Takes("file")};
  Flag<unsigned> top{"top", Says("--labels: how many of the largest count in top-k"), Takes("k"), Initially(5),
                     AtLeast(1)};
  JsonFlag asJson;
};

class Verification {
public:
  Verification(const VerifyFlags &flags, const BuiltProgram &built, const ModelReport &report, Tolerance tolerance,
               int threads, std::optional<std::vector<int64_t>> labels)
      : flags(flags), built(built), report(report), tolerance(std::move(tolerance)) {
    if (labels) {
      accuracy.emplace(*labels, flags.top);
      theirAccuracy.emplace(std::move(*labels), flags.top);
    }
    options.threads = threads;
  }

  ExitStatus run(std::vector<DataSet> &sets) {
    Progress progress("");
    isListed = sets.size() < manySets && !flags.asJson;
    for (size_t number = 0; number < sets.size(); ++number) {
      DataSet &set = sets[number];
      if (number > 0)
        carryStates(set, sets[number - 1], left, built.program->info());
      doing = "running it on " + (isListed ? set.name : std::to_string(sets.size()) + " data sets");
      if (isListed || number == 0)
        progress.step(doing);
      progress.count(number, isListed ? 0 : sets.size());
      Expected<RunResult> result = built.program->run(set.inputs, options);
      if (isListed)
        progress.done();
      if (std::optional<std::string> problem = problemOf(result)) {
        progress.done();
        printError(set.name + ": " + *problem);
        jsonSets.push_back(json::Object{{"name", utf8(set.name)}, {"ok", false}, {"problem", utf8(*problem)}});
        ++differing;
        left.clear();
        accuracy.reset(); // labels are by the place of the sample
        continue;
      }
      if (flags.layers && number == 0) {
        progress.done();
        if (Error error = compareInside(set)) {
          printError("--layers: " + toString(std::move(error)));
          return ExitUsage;
        }
      }
      left = std::move(result->outputs);
      if (Error error = accuracy ? compareAnswers(set) : Error::success()) {
        progress.done();
        printError("--labels: " + toString(std::move(error)));
        return ExitUsage;
      }
      compareOutputs(set, progress);
    }
    progress.done();
    if (Error error = accuracy ? accuracy->finish() : Error::success()) {
      printError("--labels: " + toString(std::move(error)));
      return ExitUsage;
    }
    return conclude(sets.size());
  }

private:
  static std::optional<std::string> problemOf(Expected<RunResult> &result) {
    if (!result)
      return toString(result.takeError());
    if (result->status != 0)
      return "the call ended with status " + std::to_string(result->status) + ": " + statusText(result->status).str();
    return std::nullopt;
  }

  Error compareInside(const DataSet &set) {
    Progress progress("asking onnxruntime for the values inside");
    Expected<LayerComparison> layers =
        compareLayers(*built.program, report, built.job.model, set.inputs, built.staging->folder());
    progress.done();
    if (!layers)
      return layers.takeError();
    if (flags.asJson)
      answer(json::Object{{"layers", jsonOf(*layers, flags.tolerance)}});
    else
      printLayers(*layers, flags.tolerance, outs());
    return Error::success();
  }

  Error compareAnswers(const DataSet &set) {
    if (Error error = accuracy->add(dequantized(left.front(), built.program->info().outputs.front()), set.name))
      return error;
    return set.isByOnnxruntime ? theirAccuracy->add(set.expected.front(), set.name) : Error::success();
  }

  void tellAccuracy() {
    bool isCompared = !errorToBool(theirAccuracy->finish());
    if (flags.asJson) {
      json::Object object = accuracy->json();
      if (isCompared)
        object["onnxruntime"] = theirAccuracy->json();
      answer(json::Object{{"accuracy", std::move(object)}});
      return;
    }
    outs() << "accuracy " << accuracy->summary();
    if (isCompared)
      outs() << "; onnxruntime " << theirAccuracy->summary();
    outs() << "\n";
    accuracy->print(outs());
  }

  /// What --expect left out is not compared.
  void compareOutputs(const DataSet &set, Progress &progress) {
    std::vector<Verdict> verdicts;
    std::vector<HostArray> actual, expected;
    for (size_t i = 0; i < set.expected.size() && i < left.size(); ++i)
      if (set.expected[i].type != ElementType::Undefined) {
        actual.push_back(dequantized(left[i], built.program->info().outputs[i]));
        expected.push_back(set.expected[i]);
        verdicts.push_back(judge(actual.back(), set.expected[i], tolerance));
        verdicts.back().isByOnnxruntime = set.isByOnnxruntime;
      }
    auto isGood = [](const Verdict &verdict) { return verdict.isGood(); };
    if (!all_of(verdicts, isGood) && settledSets++ < mostSettled) {
      progress.done();
      settle(verdicts, actual, expected, set, built);
      if (!isListed)
        progress.step(doing);
    }
    bool good = all_of(verdicts, isGood);
    differing += !good;
    if (flags.asJson) {
      json::Array outputs;
      for (const Verdict &verdict : verdicts)
        outputs.push_back(jsonOf(verdict));
      jsonSets.push_back(json::Object{{"name", utf8(set.name)}, {"ok", good}, {"outputs", std::move(outputs)}});
    } else if (isListed || !good) {
      progress.done();
      outs() << set.name << "\n";
      for (const Verdict &verdict : verdicts)
        print(verdict, outs());
    }
  }

  ExitStatus conclude(size_t count) {
    if (accuracy)
      tellAccuracy();
    json::Object object{{"model", utf8(built.job.model)},
                        {"target", built.job.codegen.target.name},
                        {"sets", std::move(jsonSets)},
                        {"agrees", differing == 0}};
    if (!flags.asJson && !isListed)
      outs() << count - differing << " of " << count << " data sets agree\n";
    if (!flags.asJson)
      outs() << (differing == 0 ? "agrees\n" : "does not agree\n");
    if (differing > 0)
      tellRandomNodes(object);
    answer(std::move(object));
    return differing == 0 ? ExitOk : ExitVerify;
  }

  /// A difference may be no fault.
  void tellRandomNodes(json::Object &object) const {
    constexpr size_t mostListed = 5;
    std::vector<RandomNode> nodes = randomNodesOf(built.job);
    if (nodes.empty())
      return;
    json::Array names;
    for (const RandomNode &node : nodes)
      names.push_back(utf8(node.name));
    object["random_nodes"] = std::move(names);
    if (flags.asJson)
      return;
    outs() << "The model draws random numbers, each program its own, so what depends on them cannot agree:\n";
    for (const RandomNode &node : ArrayRef(nodes).take_front(mostListed))
      outs() << "  node '" << node.name << "' (" << node.type << ") makes '" << node.output << "'\n";
    if (nodes.size() > mostListed)
      outs() << "  and " << nodes.size() - mostListed << " more\n";
    outs() << "`sinter split " << built.job.model << " --at '" << nodes.front().output
           << "' -o FOLDER` makes of it a model that takes them as inputs\n";
  }

  const VerifyFlags &flags;
  const BuiltProgram &built;
  const ModelReport &report;
  Tolerance tolerance;
  RunOptions options;
  std::vector<HostArray> left;                     ///< what the call before left
  std::optional<Accuracy> accuracy, theirAccuracy; ///< with --labels
  json::Array jsonSets;
  size_t differing = 0, settledSets = 0;
  std::string doing;
  bool isListed = true;
};

/// No judgement: how much noise is too much, nobody but the user knows.
ExitStatus verifyAgainstModel(const VerifyFlags &flags, const BuiltProgram &built, const ModelReport &report,
                              ArrayRef<DataSet> sets, int threads) {
  Expected<AgainstModel> result = compareWithModel(built, report, sets, flags.againstModel, flags.layers, threads);
  if (!result) {
    printError("--against-model: " + toString(result.takeError()));
    return ExitUsage;
  }
  if (flags.asJson)
    answer(json::Object{{"model", utf8(built.job.model)},
                        {"target", built.job.codegen.target.name},
                        {"against_model", jsonOf(*result)}});
  else
    print(*result, outs());
  return ExitOk;
}

/// False after a message.
bool readScales(const VerifyFlags &flags, Tolerance &tolerance) {
  for (const std::string &scale : flags.scales) {
    auto [name, value] = StringRef(scale).rsplit('=');
    if (name.empty() || value.getAsDouble(tolerance.scales[name])) {
      printError("--scale " + scale + " is not NAME=VALUE");
      return false;
    }
  }
  return true;
}
} // namespace

int verifyVerb(const Arguments &arguments) {
  CompileFlags compileFlags;
  VerifyFlags flags;
  BoardFlag board;
  static constexpr StringRef examples[] = {
      "sinter verify kws.onnx                           made-up inputs, onnxruntime on the other side",
      "sinter verify kws.onnx --data recorded --layers  recorded inputs, each tensor inside too",
      "sinter verify kws.onnx --data samples/ --labels labels.txt   accuracy, confusion, worst samples"};
  if (std::optional<ExitStatus> status = parseFlags(
          arguments, {"Compares a model's outputs with a recording, given files, or onnxruntime.", examples}))
    return *status;
  std::optional<std::vector<int64_t>> labels;
  if (!flags.labels.empty()) {
    Expected<std::vector<int64_t>> read = readLabels(flags.labels);
    if (!read) {
      printError("--labels " + toString(read.takeError()));
      return ExitUsage;
    }
    if (flags.data.data.empty()) {
      printError("--labels are those of the samples of --data, which is missing");
      return ExitUsage;
    }
    labels = std::move(*read);
  }
  Tolerance tolerance;
  tolerance.share = flags.tolerance;
  if (!readScales(flags, tolerance))
    return ExitUsage;
  if (!compileFlags.othersKnowTheModel())
    return ExitUsage;
  BuiltProgram built;
  if (ExitStatus status = buildProgram(compileFlags, board.choice(), built); status != ExitOk)
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
  tolerance.spacings = report->spacings;
  tolerance.ranges = report->ranges;
  flags.data.inputs.named = compileFlags.inputFiles();
  for (const OutputForm &form : built.job.forms.outputs)
    if (form.isBytes) // halves may be rounded to either side
      tolerance.steps[form.name] = 1;
  Diagnostics diagnostics;
  Expected<std::vector<DataSet>> sets = gatherDataSets(flags.data, built, flags.againstModel.empty(), diagnostics);
  if (!sets)
    printError(toString(sets.takeError()));
  else if (sets->empty())
    tell(diagnostics, built.job.model);
  if (!sets || sets->empty())
    return ExitUsage;
  if (!flags.againstModel.empty())
    return verifyAgainstModel(flags, built, *report, *sets, compileFlags.threads);
  return Verification(flags, built, *report, std::move(tolerance), compileFlags.threads, std::move(labels)).run(*sets);
}

} // namespace sinter
