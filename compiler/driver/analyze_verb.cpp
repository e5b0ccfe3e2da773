// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter analyze: what is in a model, what of it is not supported, and what the compiled model needs. No C++ compiler
// is run.
#include "driver/analysis.h"
#include "driver/compile_flags.h"
#include "driver/operator_support.h"
#include "driver/progress.h"
#include "driver/staging.h"

using namespace llvm;

namespace sinter {

std::string supportText(const Inventory::Operator &use) {
  if (use.isModelFunction)
    return "by a function of the model";
  const OperatorSchema *schema = findSchema(use.domain, use.name, use.opset);
  return schema ? supportText(supportOf(*schema)).str() : "unknown";
}

bool isSupported(const Inventory::Operator &use) {
  const OperatorSchema *schema = findSchema(use.domain, use.name, use.opset);
  return use.isModelFunction || (schema && isSupported(supportOf(*schema)));
}

int analyzeVerb(const Arguments &arguments) {
  CompileFlags flags;
  Flag<bool> asJson("json", cl::desc("machine readable"));
  parseFlags(arguments, "Says what is in a model, what of it is not supported, and what the compiled model needs.\n");
  CompileJob job;
  if (!flags.toJob(job))
    return ExitUsage;
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
  if (asJson) {
    printAnalysisJson(analysis, outs());
    return status;
  }
  printAnalysis(analysis, outs());
  outs().flush();
  analysis.diagnostics.print(errs(), job.model);
  return status;
}

} // namespace sinter
