// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter split: two models of one. How it is cut: compiler/simplify/split.h.
#include "driver/answer.h"
#include "driver/dim_polynomials.h"
#include "driver/model_files.h"
#include "driver/model_flags.h"
#include "driver/output_file.h"
#include "driver/standard_model.h"
#include "simplify/split.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

struct SplitFlags : ModelFlags {
  FlagList at{"at", FlagTrait::Required, Says("a tensor at which the model is cut; several make one cut"),
              Takes("tensor")};
  Flag<std::string> output{"o", FlagTrait::Required,
                           Says("the folder for MODEL.1.onnx and MODEL.2.onnx, or both files, with a comma between"),
                           Takes("folder | A.onnx,B.onnx")};
  JsonFlag asJson;
};

/// Where the two go.
std::pair<std::string, std::string> placesFor(const SplitFlags &flags) {
  auto [first, second] = StringRef(flags.output).split(',');
  if (!second.empty())
    return {first.str(), second.str()};
  std::string stem = (flags.output + "/" + sys::path::stem(flags.model)).str();
  return {stem + ".1.onnx", stem + ".2.onnx"};
}
} // namespace

int splitVerb(const Arguments &arguments) {
  SplitFlags flags;
  static constexpr StringRef examples[] = {"sinter split net.onnx --at features -o parts/",
                                           "sinter split net.onnx --at a --at b -o head.onnx,tail.onnx"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Cuts a model in two: the second model reads what the first one makes.", examples}))
    return *status;
  CompileJob job;
  if (!flags.toImport(job))
    return ExitUsage;
  Diagnostics diagnostics;
  auto failed = [&](ExitStatus status) {
    tell(diagnostics, flags.model);
    return status;
  };
  auto places = placesFor(flags);
  if (std::optional<Problem> problem = resolvePolynomials(job, job.import.dims)) {
    diagnostics.report(std::move(*problem));
    return failed(ExitUsage);
  }
  std::optional<quantize::Model> model = readStandardModel(job.import, flags.model, diagnostics);
  if (!model)
    return failed(ExitModel);
  if (writesOverModel(places.first, flags.model, *model, diagnostics) ||
      writesOverModel(places.second, flags.model, *model, diagnostics))
    return failed(ExitUsage);
  if (!simplify::canCutAt(model->proto, flags.at, diagnostics))
    return failed(ExitUsage);
  simplify::LearnOptions learning;
  learning.import = job.import;
  learning.folder = folderOf(flags.model);
  learning.prepare = [&](mlir::ModuleOp module) { (void)notePolynomials(job, module); };
  simplify::boundOpenDims(model->proto, learning.import);
  simplify::Learnt learnt = simplify::learn(model->proto, learning);
  std::optional<simplify::Split> split = simplify::splitAt(model->proto, flags.at, learnt.facts, diagnostics);
  if (!split)
    return failed(ExitModel);
  for (const std::string &name : split->crossing)
    diagnostics.note("'" + name +
                     "' crosses the cut too: it is an output of the first part and an input of the second");
  std::vector<OutputFile> files;
  std::optional<ModelFiles> written[2];
  for (auto [made, part, path] : {std::tuple(&written[0], &split->first, &places.first),
                                  std::tuple(&written[1], &split->second, &places.second)}) {
    *made = ModelFiles::of(*part, *model, *path, diagnostics);
    if (!*made)
      return failed(ExitModel);
    append_range(files, (*made)->files());
  }
  if (Error error = writeOutputs(files)) {
    diagnostics.report({Code::CannotWrite, toString(std::move(error)), {}, ""});
    return failed(ExitUsage);
  }
  tell(diagnostics, flags.model);
  json::Array parts;
  for (auto [path, part] : {std::pair(&places.first, &split->first), {&places.second, &split->second}}) {
    json::Array inputs, outputs;
    for (const onnx::ValueInfoProto &input : part->graph().input())
      inputs.push_back(utf8(input.name()));
    for (const onnx::ValueInfoProto &output : part->graph().output())
      outputs.push_back(utf8(output.name()));
    if (!flags.asJson)
      outs() << "written: " << *path << ", " << part->graph().node_size() << " nodes\n";
    parts.push_back(json::Object{{"path", utf8(*path)},
                                 {"nodes", part->graph().node_size()},
                                 {"inputs", std::move(inputs)},
                                 {"outputs", std::move(outputs)}});
  }
  answer(json::Object{
      {"model", utf8(flags.model)}, {"parts", std::move(parts)}, {"crossing", json::Array(split->crossing)}});
  return ExitOk;
}

} // namespace sinter
