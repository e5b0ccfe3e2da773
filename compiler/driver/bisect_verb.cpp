// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter bisect: the smallest part of a model that differs from onnxruntime, as a folder for a bug report. How it is
// found: bisect.h, bisect_bodies.h.
#include "driver/answer.h"
#include "driver/bisect_bodies.h"
#include "driver/data_sets.h"
#include "driver/error_saying.h"
#include "driver/model_files.h"
#include "driver/progress.h"
#include "driver/standard_model.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

struct BisectFlags {
  DataFlags data;
  Flag<std::string> output{"o", Says("a folder for the part: model.onnx and test_data_set_0, as ONNX's own tests have"),
                           Takes("folder")};
  Flag<double> tolerance{"tolerance", Says("largest difference allowed, as a share of the output's largest value"),
                         Takes("share"), Initially(1e-4)};
  JsonFlag asJson;
};

std::string protoOf(const HostArray &array, StringRef name) {
  onnx::TensorProto tensor;
  tensor.set_name(name.str());
  tensor.set_data_type(static_cast<int>(array.type));
  for (int64_t dim : array.dims)
    tensor.add_dims(dim);
  for (const std::string &text : array.strings)
    tensor.add_string_data(text);
  if (array.strings.empty())
    tensor.set_raw_data(array.bytes);
  return tensor.SerializeAsString();
}

/// The part stands alone: weights become part of it, where a file has room.
std::optional<ModelFiles> modelFilesOf(const DifferingPart &part, const quantize::Model &from, std::string path,
                                       Diagnostics &diagnostics) {
  constexpr uint64_t room = uint64_t(1) << 31;
  onnx::ModelProto model = part.model;
  uint64_t bytes = model.ByteSizeLong();
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    bytes += quantize::OutsideWeights::has(tensor) ? quantize::OutsideWeights::sizeOf(tensor).value_or(room) : 0;
  if (bytes >= room)
    return ModelFiles::of(std::move(model), from, std::move(path), diagnostics);
  for (onnx::TensorProto &tensor : *model.mutable_graph()->mutable_initializer())
    if (!from.outside->embed(tensor, diagnostics))
      return std::nullopt;
  return ModelFiles::of(std::move(model), quantize::Model(), std::move(path), diagnostics);
}

Error save(StringRef folder, const DifferingPart &part, const quantize::Model &from) {
  Diagnostics diagnostics;
  std::optional<ModelFiles> model = modelFilesOf(part, from, (folder + "/model.onnx").str(), diagnostics);
  if (!model)
    return errorSaying(diagnostics.all().front().message);
  std::string data = (folder + "/test_data_set_0/").str();
  std::vector<std::string> paths, contents;
  for (auto [kind, arrays] : {std::pair("input_", &part.inputs), {"output_", &part.expected}})
    for (auto [i, array] : enumerate(*arrays)) {
      paths.push_back(data + kind + std::to_string(i) + ".pb");
      contents.push_back(protoOf(array, array.name));
    }
  std::vector<OutputFile> files = model->files();
  for (auto [path, bytes] : zip(paths, contents))
    files.push_back({path, bytes});
  return writeOutputs(files);
}

int tellPart(const DifferingPart &part, ArrayRef<std::string> inside, const BisectFlags &flags, StringRef path,
             const quantize::Model &model) {
  json::Array nodes, outputs;
  for (const std::string &where : inside)
    if (!flags.asJson)
      outs() << "in " << where << ":\n";
  for (const onnx::NodeProto &node : part.model.graph().node()) {
    const std::string &name = node.name().empty() ? node.output(0) : node.name();
    nodes.push_back(json::Object{{"name", utf8(name)}, {"operator", utf8(node.op_type())}});
    if (!flags.asJson)
      outs() << "  " << node.op_type() << " '" << name << "'\n";
  }
  for (const Verdict &verdict : part.verdicts) {
    outputs.push_back(jsonOf(verdict));
    if (!flags.asJson)
      print(verdict, outs());
  }
  if (!part.problem.empty()) {
    answer(json::Object{{"problem", utf8(part.problem)}});
    if (!flags.asJson)
      outs() << part.problem << "\n";
  }
  answer(json::Object{
      {"model", utf8(path)}, {"differs", true}, {"nodes", std::move(nodes)}, {"outputs", std::move(outputs)}});
  json::Array places;
  for (const std::string &where : inside)
    places.push_back(utf8(where));
  answer(json::Object{{"inside", std::move(places)}});
  if (flags.output.empty())
    return ExitVerify;
  if (Error error = save(flags.output, part, model)) {
    printError(toString(std::move(error)));
    return ExitUsage;
  }
  answer(json::Object{{"output", utf8(flags.output)}});
  if (!flags.asJson)
    outs() << "written: " << flags.output << "; `sinter verify " << flags.output << "/model.onnx` shows it\n";
  return ExitVerify;
}
} // namespace

int bisectVerb(const Arguments &arguments) {
  CompileFlags compileFlags;
  BisectFlags flags;
  static constexpr StringRef examples[] = {"sinter bisect net.onnx -o part/",
                                           "sinter bisect net.onnx --data recorded --tolerance 1e-3"};
  if (std::optional<ExitStatus> status = parseFlags(
          arguments, {"Finds the smallest part of a model that differs from onnxruntime. Exit status: 0 none does, 3 "
                      "one was found.",
                      examples}))
    return *status;
  if (!compileFlags.othersKnowTheModel())
    return ExitUsage;
  BuiltProgram built;
  if (ExitStatus status = buildProgram(compileFlags, {}, built); status != ExitOk)
    return status;
  flags.data.inputs.named = compileFlags.inputFiles();
  if (!built.job.forms.empty() || built.job.quantizedIo) {
    printError("bisect compares the model's own values: --input, --output and --io change its edges");
    return ExitUsage;
  }
  Diagnostics diagnostics;
  auto failed = [&](int status) {
    tell(diagnostics, built.job.model);
    return status;
  };
  Expected<std::vector<DataSet>> sets = gatherDataSets(flags.data, built, true, diagnostics);
  if (!sets) {
    printError(toString(sets.takeError()));
    return ExitUsage;
  }
  if (sets->empty())
    return failed(ExitUsage);
  std::optional<quantize::Model> model = readStandardModel(built.job.import, built.job.model, diagnostics);
  if (!model)
    return failed(ExitModel);
  for (const DataSet &set : *sets) {
    Progress progress("asking onnxruntime for the values inside");
    Expected<RecordedGraph> recorded =
        recordValues(model->proto, built.job.model, built.program->info(), set.inputs, built.job, set.expected);
    if (!recorded) {
      progress.done();
      printError(toString(recorded.takeError()));
      return ExitUsage;
    }
    if (none_of(recorded->model.graph().output(),
                [&](const auto &output) { return recorded->values.contains(output.name()); })) {
      progress.done();
      printError("bisect compares tensors: no output of this model is one",
                 "sinter split MODEL --at TENSOR takes what makes a tensor before it");
      return ExitUsage;
    }
    PartBuild how{built, flags.tolerance, compileFlags.cxx, compileFlags.optimization};
    Bisection bisection(recorded->model, recorded->values, how);
    bisection.onTrial = [&](size_t nodes, bool differs) {
      progress.step((Twine(nodes) + " nodes " + (differs ? "differ" : "agree")).str());
    };
    std::optional<DifferingPart> part = bisection.run();
    BodyBisection bodies(*model, how);
    bodies.onTrial = bisection.onTrial;
    std::vector<std::string> inside;
    for (std::string where; part && bodies.lookInside(*part, *recorded, where);)
      inside.push_back(where);
    progress.done();
    if (part)
      return tellPart(*part, inside, flags, built.job.model, *model);
  }
  if (!flags.asJson)
    outs() << "no part differs on " << sets->size() << " data sets\n";
  answer(json::Object{{"model", utf8(built.job.model)}, {"differs", false}});
  return ExitOk;
}

} // namespace sinter
