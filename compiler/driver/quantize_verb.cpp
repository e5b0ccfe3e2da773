// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter quantize: from a float model to a quantized one. What is done to the model: compiler/quantize.
#include "driver/answer.h"
#include "driver/model_files.h"
#include "driver/progress.h"
#include "driver/quantize_flags.h"
#include "driver/quantize_report.h"
#include "driver/trial_program.h"

#include "quantize/dynamic.h"
#include "quantize/normalize.h"
#include "quantize/opset.h"
#include "quantize/trial.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

/// What the program says of itself, from what the importer says of the inputs.
ModelInfo infoOf(ArrayRef<quantize::ModelInput> inputs) {
  ModelInfo info;
  for (const quantize::ModelInput &input : inputs) {
    TensorInfo tensor{input.name, input.type, {}, {}};
    for (const quantize::ModelInput::Dim &dim : input.dims) {
      int64_t symbol = -1;
      if (!dim.symbol.empty()) {
        auto known = llvm::find_if(info.dims, [&](const DimInfo &other) { return other.name == dim.symbol; });
        symbol = known - info.dims.begin();
        if (known == info.dims.end())
          info.dims.push_back({dim.symbol, dim.least, dim.most});
      }
      tensor.dims.push_back(dim.most);
      tensor.symbols.push_back(symbol);
    }
    info.inputs.push_back(std::move(tensor));
  }
  return info;
}

class QuantizeRun {
public:
  explicit QuantizeRun(const QuantizeFlags &flags) : flags(flags) {}

  int run() {
    if (!flags.check(options, weightsOnly) || !flags.toJob(job))
      return ExitUsage;
    ImportOptions import = job.import;
    if (flags.data.empty()) // nothing runs: sizes are as good as any
      import.dims.try_emplace("*", DimValue{1, 1});
    model = quantize::readModel(flags.model, import, diagnostics, {}, quantize::WeightsFile::least);
    if (!model)
      return fail(ExitModel);
    if (writesOverModel(flags.output, flags.model, *model, diagnostics))
      return fail(ExitUsage);
    if (!flags.data.empty())
      if (samples = readSamples(flags.data, infoOf(model->inputs), diagnostics); samples.empty())
        return fail(ExitUsage);
    if (int status = flags.isStatic() ? quantizeWithSamples() : quantizeWithout())
      return status;
    return write();
  }

private:
  int fail(ExitStatus status) {
    tell(diagnostics, flags.model);
    return status;
  }
  auto programMaker() {
    return [this](onnx::ModelProto tried) {
      progress.done(); // compiling tells of itself
      auto program = makeTrialProgram(std::move(tried), flags.model, job, flags.cxx, samples,
                                      [this] { progress.count(++runs, allRuns); });
      progress.step(part);
      return program;
    };
  }
  /// What is the same whatever comes: opset, constants, BatchNormalization.
  bool normalize(int64_t opset) {
    if (!quantize::raiseOpset(model->proto, opset, diagnostics))
      return false;
    quantize::GraphEdit edit(model->proto, model->outside.get());
    quantize::collectConstants(edit);
    report.batchNorms = quantize::foldBatchNorms(edit);
    quantize::foldGemmFactors(edit);
    return true;
  }

  int quantizeWithSamples() {
    report.way = "static";
    options.onPart = [this](StringRef what, size_t count) {
      part = ("quantizing " + flags.model + ", " + what).str();
      runs = 0;
      allRuns = count;
      progress.step(part);
    };
    if (!normalize(13))
      return fail(ExitModel);
    auto result = quantize::quantizeStatic(model->proto, model->outside.get(), samples.size(), options, programMaker(),
                                           diagnostics);
    progress.done();
    if (!result)
      return failed(result.takeError());
    if (!*result)
      return fail(ExitModel);
    report.quantization = std::move(**result);
    return llvm::any_of(report.quantization->layers, [](const auto &layer) { return layer.quantized; })
               ? ExitOk
               : failedForLoss();
  }

  /// A float model under a new name would be taken for a quantized one.
  int failedForLoss() {
    const quantize::LayerReport *least = nullptr;
    for (const quantize::LayerReport &layer : report.quantization->layers)
      if (layer.loss && (!least || *layer.loss < *least->loss))
        least = &layer;
    std::string hint = "allow more, or give other samples";
    if (least)
      raw_string_ostream(hint) << "; '" << least->name << "' loses least, " << format("%.2g", *least->loss);
    tellReport();
    diagnostics.report({Code::NothingToQuantize,
                        "--max-loss leaves all " + std::to_string(report.quantization->layers.size()) +
                            " layers float: nothing is written",
                        {},
                        hint});
    return fail(ExitModel);
  }

  int quantizeWithout() {
    onnx::ModelProto before;
    if (!samples.empty())
      before = model->proto;
    report.way = flags.dynamic ? "dynamic" : flags.fp16 ? "fp16" : flags.bf16 ? "bf16" : "weights-only";
    if (!normalize(flags.weightsOnly.empty() ? 13 : weightsOnly.opset()))
      return fail(ExitModel);
    if (flags.fp16 || flags.bf16) {
      report.half = quantize::convertToHalf(
          model->proto, flags.fp16 ? onnx::TensorProto::FLOAT16 : onnx::TensorProto::BFLOAT16, model->outside.get());
    } else {
      quantize::GraphEdit edit(model->proto, model->outside.get());
      report.weights = flags.dynamic ? quantize::quantizeDynamically(edit, !flags.perTensor)
                                     : quantize::quantizeWeightsOnly(edit, weightsOnly);
      if (report.weights.empty()) {
        quantize::reportNothing(diagnostics);
        return fail(ExitModel);
      }
    }
    if (samples.empty())
      return ExitOk;
    part = "measuring the loss on " + flags.data;
    allRuns = 2 * samples.size();
    auto difference = quantize::differenceBetween(before, model->proto, samples.size(), programMaker());
    progress.done();
    if (!difference)
      return failed(difference.takeError());
    report.difference = *difference;
    return ExitOk;
  }

  int failed(Error error) {
    int status = ExitInternal;
    handleAllErrors(
        std::move(error), [&](const BuildFailed &build) { status = build.status; },
        [&](const ErrorInfoBase &other) { printError("a trial run failed: " + other.message()); });
    return status;
  }

  /// Model, report and page appear all or not at all.
  int write() {
    std::optional<ModelFiles> written = ModelFiles::of(std::move(model->proto), *model, flags.output, diagnostics);
    if (!written)
      return fail(ExitModel);
    std::vector<OutputFile> files = written->files();
    SmallString<128> reportPath(sys::path::parent_path(flags.output));
    sys::path::append(reportPath, flags.report);
    size_t models = files.size();
    std::string reportText = textOf(jsonOf(report)), page;
    if (!flags.report.empty())
      files.push_back({reportPath, reportText});
    if (!flags.html.empty()) {
      json::Object shown = jsonOf(report);
      shown["model"] = utf8(flags.model);
      page = reportPage(shown);
      files.push_back({flags.html, page});
    }
    if (Error error = writeOutputs(files)) {
      diagnostics.report({Code::CannotWrite, toString(std::move(error)), {}, ""});
      return fail(ExitUsage);
    }
    tellReport();
    if (!flags.asJson)
      for (const OutputFile &file : ArrayRef(files).take_front(models))
        outs() << "written: " << file.path << ", " << file.size << " bytes\n";
    answer(json::Object{{"output", utf8(flags.output)}, {"bytes", static_cast<int64_t>(written->modelBytes())}});
    return ExitOk;
  }
  void tellReport() {
    if (flags.asJson)
      answer(jsonOf(report));
    else
      printReport(report, outs());
    answer(json::Object{{"model", utf8(flags.model)}});
  }

  const QuantizeFlags &flags;
  CompileJob job;
  quantize::StaticOptions options;
  quantize::WeightsOnly weightsOnly;
  Diagnostics diagnostics;
  std::optional<quantize::Model> model;
  std::vector<Sample> samples;
  QuantizeReport report;
  std::string part = "quantizing " + flags.model; ///< what is being done, for which so many runs are expected
  size_t runs = 0, allRuns = 0;
  Progress progress{part};
};
} // namespace

int quantizeVerb(const Arguments &arguments) {
  QuantizeFlags flags;
  static constexpr StringRef examples[] = {"sinter quantize kws.onnx --data samples/ -o kws.q.onnx",
                                           "sinter quantize kws.onnx --dynamic -o kws.q.onnx"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Turns a float model into a quantized one that any ONNX runtime reads.", examples}))
    return *status;
  return QuantizeRun(flags).run();
}

} // namespace sinter
