// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter bisect: the smallest part of a model that differs from onnxruntime, as a folder for a bug report. How it is
// found: bisect.h.
#include "driver/answer.h"
#include "driver/bisect.h"
#include "driver/data_sets.h"
#include "driver/oracle.h"
#include "driver/output_file.h"
#include "driver/progress.h"
#include "driver/standard_model.h"
#include "simplify/learn.h"
#include "simplify/write_shapes.h"

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

/// The model at the sizes of these inputs, with all types and shapes that are known then.
void fixSizes(onnx::ModelProto &model, const ModelValues &values, const CompileJob &job) {
  for (onnx::ValueInfoProto &input : *model.mutable_graph()->mutable_input()) {
    auto found = values.find(input.name());
    if (found == values.end() || !input.type().has_tensor_type())
      continue;
    auto &shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.Clear();
    for (int64_t dim : found->second.dims)
      shape.add_dim()->set_dim_value(dim);
  }
  simplify::LearnOptions learning;
  learning.import = job.import;
  learning.import.dims.clear();
  learning.folder = sys::path::parent_path(job.model).str();
  simplify::Learnt learnt = simplify::learn(model, learning);
  simplify::writeShapes(*model.mutable_graph(), learnt.facts);
}

/// What onnxruntime gave may be smaller than what is known before a call.
void addValue(onnx::GraphProto &graph, const HostArray &array) {
  for (auto *list : {graph.mutable_value_info(), graph.mutable_output()})
    for (onnx::ValueInfoProto &value : *list)
      if (value.name() == array.name && list == graph.mutable_output())
        return;
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> kept;
  for (onnx::ValueInfoProto &value : *graph.mutable_value_info())
    if (value.name() != array.name)
      *kept.Add() = std::move(value);
  onnx::ValueInfoProto &info = *kept.Add();
  info.set_name(array.name);
  auto &type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(static_cast<int>(array.type));
  type.mutable_shape();
  for (int64_t dim : array.dims)
    type.mutable_shape()->add_dim()->set_dim_value(dim);
  graph.mutable_value_info()->Swap(&kept);
}

/// Inputs, and all that onnxruntime makes of them.
Expected<ModelValues> recordedValues(const onnx::ModelProto &model, const DataSet &set, const BuiltProgram &built) {
  ModelValues values;
  const ModelInfo &info = built.program->info();
  for (auto [array, tensor] : zip(set.inputs, info.inputs))
    values[tensor.value] = array;
  std::vector<std::string> names;
  for (const onnx::NodeProto &node : model.graph().node())
    for (const std::string &output : node.output())
      if (!output.empty())
        names.push_back(output);
  auto all = referenceValues(built.job.model, info, {set.inputs}, names, built.staging->folder());
  if (!all)
    return all.takeError();
  for (auto [name, array] : zip(names, all->front()))
    if (array)
      values[name] = std::move(*array);
  for (auto [array, tensor] : zip(set.expected, info.outputs))
    if (array.type != ElementType::Undefined)
      values[tensor.value] = array;
  for (auto &value : values)
    value.second.name = value.getKey().str();
  return values;
}

Error save(StringRef folder, const DifferingPart &part) {
  std::string data = (folder + "/test_data_set_0/").str(), model = part.model.SerializeAsString();
  std::vector<std::string> paths = {(folder + "/model.onnx").str()}, contents = {model};
  for (auto [kind, arrays] : {std::pair("input_", &part.inputs), {"output_", &part.expected}})
    for (auto [i, array] : enumerate(*arrays)) {
      paths.push_back(data + kind + std::to_string(i) + ".pb");
      contents.push_back(protoOf(array, array.name));
    }
  std::vector<OutputFile> files;
  for (auto [path, bytes] : zip(paths, contents))
    files.push_back({path, bytes});
  return writeOutputs(files);
}

int tellPart(const DifferingPart &part, const BisectFlags &flags, StringRef model) {
  json::Array nodes, outputs;
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
  answer(json::Object{
      {"model", utf8(model)}, {"differs", true}, {"nodes", std::move(nodes)}, {"outputs", std::move(outputs)}});
  if (flags.output.empty())
    return ExitVerify;
  if (Error error = save(flags.output, part)) {
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
    Expected<ModelValues> values = recordedValues(model->proto, set, built);
    if (!values) {
      progress.done();
      printError(toString(values.takeError()));
      return ExitUsage;
    }
    onnx::ModelProto fixed = model->proto;
    fixSizes(fixed, *values, built.job);
    for (const auto &value : *values)
      addValue(*fixed.mutable_graph(), value.second);
    Bisection bisection(fixed, *values, built, flags.tolerance, compileFlags.cxx, compileFlags.optimization);
    bisection.onTrial = [&](size_t nodes, bool differs) {
      progress.step((Twine(nodes) + " nodes " + (differs ? "differ" : "agree")).str());
    };
    std::optional<DifferingPart> part = bisection.run();
    progress.done();
    if (part)
      return tellPart(*part, flags, built.job.model);
  }
  if (!flags.asJson)
    outs() << "no part differs on " << sets->size() << " data sets\n";
  answer(json::Object{{"model", utf8(built.job.model)}, {"differs", false}});
  return ExitOk;
}

} // namespace sinter
