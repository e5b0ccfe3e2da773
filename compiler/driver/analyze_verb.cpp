// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter analyze: what is in a model, what of it is not supported, and what the compiled model needs. No C++ compiler
// is run.
#include "driver/analysis.h"
#include "driver/answer.h"
#include "driver/compile_flags.h"
#include "driver/fit_table.h"
#include "driver/operator_support.h"
#include "driver/progress.h"
#include "driver/report_page.h"
#include "driver/staging.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace sinter {

std::string supportText(const Inventory::Operator &use) {
  if (use.isModelFunction)
    return "by a function of the model";
  return use.schema ? supportText(supportOf(*use.schema)).str() : "unknown";
}

bool isSupported(const Inventory::Operator &use) {
  return use.isModelFunction || (use.schema && isSupported(supportOf(*use.schema)));
}

/// `--fit` without a mode asks for the table; the word behind it may be the model.
static Arguments withFitAll(Arguments arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (StringRef(arguments[i]) == "--fit" && (next.empty() || next.starts_with("-") || sys::fs::exists(next)))
      arguments[i] = "--fit=all";
  }
  return arguments;
}

/// Nothing: the model cannot be compiled, and an analysis says why.
static std::optional<ExitStatus> analyzeFit(const CompileFlags &flags, const CompileJob &job, bool counts, bool asJson,
                                            StringRef page) {
  Expected<FitTable> table = makeFitTable(flags, job, counts);
  if (!table) {
    printError(toString(table.takeError()));
    return ExitUsage;
  }
  if (table->points.empty())
    return std::nullopt;
  if (asJson)
    answer(jsonOf(*table));
  else
    printFitTable(*table, outs());
  return page.empty() ? ExitOk : writeReportPage(jsonOf(*table), page);
}

int analyzeVerb(const Arguments &arguments) {
  CompileFlags flags;
  JsonFlag asJson;
  HtmlFlag html;
  Flag<bool> measure("measure", Says("--fit all: count instructions on the emulated board"));
  static constexpr StringRef examples[] = {
      "sinter analyze kws.onnx --target cortex-m4       what the net needs there",
      "sinter analyze kws.onnx --html kws.html          the same as a page to look at",
      "sinter analyze kws.onnx --fit                    the ways to compile it, with the RAM and time of each",
      "sinter analyze kws.onnx --fit --html ways.html   the same as a plot"};
  if (std::optional<ExitStatus> status =
          parseFlags(withFitAll(arguments),
                     {"Says what is in a model, what of it is not supported, and what the compiled model needs.\n"
                      "--fit, or --fit all: which ways to compile it need less RAM, and what that costs.",
                      examples}))
    return *status;
  CompileJob job;
  bool isFitTable = flags.fit == "all";
  if (isFitTable)
    flags.fit.setValue(flags.fit.initialText);
  if (!flags.toJob(job) || !flags.takesNoFiles())
    return ExitUsage;
  if (isFitTable && job.codegen.target.isGpu()) {
    printError("--fit means nothing for " + job.codegen.target.name,
               "kernels are chosen by what they cost on the GPU, and there is one way to plan its memory");
    return ExitUsage;
  }
  if (isFitTable) {
    if (std::optional<ExitStatus> status = analyzeFit(flags, job, measure, asJson, html))
      return *status;
  } else if (measure) {
    printError("--measure is for --fit all", "`sinter bench` counts one way to compile a model");
    return ExitUsage;
  }
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  Analysis analysis;
  analysis.model = job.model;
  CompiledModel compiled;
  Progress progress("compiling " + job.model);
  ExitStatus status = compileModel(job, **staging, analysis.diagnostics, compiled);
  progress.done();
  analysis.summary = std::move(compiled.summary);
  if (status == ExitOk) {
    Expected<ModelReport> report = readReport(**staging, job.codegen.prefix);
    if (!report) {
      printError(toString(report.takeError()));
      return ExitInternal;
    }
    analysis.report = std::move(*report);
  }
  if (!asJson)
    printAnalysis(analysis, outs());
  tell(analysis.diagnostics, job.model);
  if (status == ExitOk)
    return answerWithGraph(jsonOf(analysis), job, asJson, html);
  if (asJson)
    answer(jsonOf(analysis));
  return status;
}

} // namespace sinter
