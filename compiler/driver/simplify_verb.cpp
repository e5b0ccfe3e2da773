// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter simplify: the optimized model, saved back. What is done to it: compiler/simplify.
#include "driver/annotate.h"
#include "driver/answer.h"
#include "driver/dim_polynomials.h"
#include "driver/error_saying.h"
#include "driver/model_files.h"
#include "driver/model_flags.h"
#include "driver/model_report.h"
#include "driver/output_file.h"
#include "driver/staged_model.h"
#include "driver/staging.h"
#include "driver/standard_model.h"
#include "driver/version.h"
#include "simplify/simplify.h"
#include "support/bounded_json.h"
#include "support/given_file.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

struct SimplifyFlags : ModelFlags {
  Flag<std::string> output{"o", FlagTrait::Required, FlagTrait::Output, Says("the simplified model"),
                           Takes("FILE.onnx")};
  Flag<bool> exact{"exact", Says("only what leaves results equal to the last bit")};
  Flag<bool> deadChannels{"dead-channels", Says("remove channels between convolutions that reach no result")};
  Flag<uint64_t> foldLimit{"fold-limit",
                           Says("the most bytes that a constant may have which is larger than what it is made of; "
                                "without a word 65536, or a 256th of what all weights have"),
                           Takes("bytes")};
  FlagList without{"without", Says("leave out a step, by the name that the report has"), Takes("step")};
  Flag<std::string> annotate{"annotate",
                             Says("write into the nodes' metadata which kernel computes them, where in the arena, and "
                                  "for how long: what a report or bench --json says, or with auto what compiling it "
                                  "for this machine does"),
                             Takes("auto|FILE.json")};
  JsonFlag asJson;
};

/// The report of the model, compiled for this machine.
Expected<json::Value> reportOf(const onnx::ModelProto &model, CompileJob job, Diagnostics &diagnostics) {
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging)
    return staging.takeError();
  if (Error error = stageModel(model, job.model, **staging, job))
    return std::move(error);
  job.codegen.prefix = "model";
  job.codegen.compiler = std::string("sinter ") + version();
  for (const auto &dim : job.import.dims) // a number now
    if (dim.second.min == dim.second.max)
      job.import.dims.erase(dim.getKey());
  std::string problem;
  std::optional<Target> host = findTarget("host", problem);
  if (!host)
    return errorSaying(problem);
  job.codegen.target = *host;
  CompiledModel compiled;
  if (compileModel(job, **staging, diagnostics, compiled) != ExitOk)
    return errorSaying("the model does not compile");
  Expected<ModelReport> report = readReport(**staging, job.codegen.prefix);
  return report ? Expected<json::Value>(std::move(report->json)) : report.takeError();
}

Expected<json::Value> readReportFile(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  return file ? parseBoundedJson((*file)->getBuffer(), JsonLimits::ofReport()) : file.takeError();
}

json::Object jsonOf(const simplify::SimplifyResult &result) {
  json::Object steps;
  for (const simplify::StepCount &step : result.steps)
    steps[step.name] = step.changes;
  return json::Object{
      {"nodes_before", result.nodesBefore}, {"nodes_after", result.nodesAfter}, {"steps", std::move(steps)}};
}

void printSteps(const simplify::SimplifyResult &result, raw_ostream &out) {
  for (const simplify::StepCount &step : result.steps)
    if (step.changes)
      out << "  " << left_justify(step.name, 24) << step.changes << "\n";
  out << result.nodesBefore << " nodes before, " << result.nodesAfter << " after\n";
}
} // namespace

int simplifyVerb(const Arguments &arguments) {
  SimplifyFlags flags;
  static constexpr StringRef examples[] = {
      "sinter simplify net.onnx -o net.s.onnx",
      "sinter simplify net.onnx -o net.s.onnx --dim batch=1 --exact   the same results to the last bit"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Writes a model with fewer nodes that means the same.", examples}))
    return *status;
  CompileJob job;
  if (!flags.toImport(job))
    return ExitUsage;
  simplify::SimplifyOptions options;
  options.exact = flags.exact;
  options.deadChannels = flags.deadChannels;
  if (flags.foldLimit.getNumOccurrences())
    options.foldBytes = flags.foldLimit;
  std::vector<StringRef> known = simplify::stepNames();
  for (const std::string &name : flags.without) {
    if (!is_contained(known, name)) {
      printError("--without " + name + " is no step", "steps are " + join(known, ", "));
      return ExitUsage;
    }
    options.disabled.push_back(name);
  }
  Diagnostics diagnostics;
  if (std::optional<Problem> problem = resolvePolynomials(job, job.import.dims))
    diagnostics.report(std::move(*problem));
  auto failed = [&](ExitStatus status) {
    tell(diagnostics, flags.model);
    return status;
  };
  if (diagnostics.hasErrors())
    return failed(ExitUsage);
  simplify::LearnOptions learning;
  learning.import = job.import;
  learning.folder = folderOf(flags.model);
  learning.prepare = [&](mlir::ModuleOp module) { (void)notePolynomials(job, module); };
  std::optional<quantize::Model> model = readStandardModel(job.import, flags.model, diagnostics);
  if (!model)
    return failed(ExitModel);
  if (writesOverModel(flags.output, flags.model, *model, diagnostics))
    return failed(ExitUsage);
  simplify::boundOpenDims(model->proto, learning.import);
  simplify::SimplifyResult result = simplify::simplify(model->proto, learning, options);
  for (const std::string &note : result.notes)
    diagnostics.note("not all values are known: " + note);
  if (!flags.annotate.empty()) {
    bool compiles = flags.annotate == "auto";
    Expected<json::Value> report = compiles ? reportOf(model->proto, job, diagnostics) : readReportFile(flags.annotate);
    Expected<int64_t> annotated = report ? annotate(model->proto, *report) : report.takeError();
    if (!annotated) {
      tell(diagnostics, flags.model);
      printError("--annotate: " + toString(annotated.takeError()));
      return diagnostics.hasErrors() ? ExitModel : ExitUsage;
    }
    answer(json::Object{{"annotated", *annotated}});
    if (!flags.asJson)
      outs() << *annotated << " nodes annotated\n";
  }
  std::optional<ModelFiles> written = ModelFiles::of(std::move(model->proto), *model, flags.output, diagnostics);
  if (!written)
    return failed(ExitModel);
  std::vector<OutputFile> files = written->files();
  if (Error error = writeOutputs(files)) {
    diagnostics.report({Code::CannotWrite, toString(std::move(error)), {}, ""});
    return failed(ExitUsage);
  }
  tell(diagnostics, flags.model);
  if (!flags.asJson) {
    printSteps(result, outs());
    for (const OutputFile &file : reverse(files))
      outs() << "written: " << file.path << ", " << file.size << " bytes\n";
  }
  answer(jsonOf(result));
  answer(json::Object{{"model", utf8(flags.model)},
                      {"output", utf8(flags.output)},
                      {"bytes", static_cast<int64_t>(written->modelBytes())}});
  return ExitOk;
}

} // namespace sinter
