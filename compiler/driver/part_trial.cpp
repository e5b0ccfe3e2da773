// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/part_trial.h"

#include "driver/model_report.h"
#include "driver/staged_model.h"

using namespace llvm;

namespace sinter {

std::optional<PartTrial> PartTrial::build(const onnx::ModelProto &part, const PartBuild &how) {
  PartTrial trial;
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    consumeError(staging.takeError());
    return std::nullopt;
  }
  trial.staging = std::move(*staging);
  BuiltProgram &built = trial.built;
  built.isTrial = true;
  built.job = how.whole.job;
  if (Error error = stageModel(part, how.whole.job.model, *trial.staging, built.job)) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  built.job.import.dims.clear(); // sizes are numbers
  built.job.polynomials.clear();
  built.job.exactCopies.clear();
  built.job.conversion.states.clear();
  if (buildProgram(how.cxx, how.optimization, {}, built) != ExitOk)
    return std::nullopt;
  Expected<ModelReport> report = readReport(*built.staging, built.job.codegen.prefix);
  if (!report) {
    consumeError(report.takeError());
    return std::nullopt;
  }
  trial.allowed.share = how.tolerance;
  trial.allowed.steps = report->steps;
  trial.allowed.spacings = report->spacings;
  trial.allowed.ranges = report->ranges;
  return trial;
}

bool PartTrial::differs(ArrayRef<HostArray> inputs, ArrayRef<HostArray> expected, std::vector<Verdict> &verdicts,
                        std::string &problem) {
  Expected<RunResult> result = built.program->run(inputs);
  if (!result) {
    handleAllErrors(
        result.takeError(), [&](const ProgramDied &died) { problem = StringRef(died.getMessage()).trim().str(); },
        [](const ErrorInfoBase &) {}); // it cannot be run with these inputs, which is not what is looked for
    return !problem.empty();
  }
  if (result->status != 0) {
    problem = "the call ended with status " + std::to_string(result->status) + ": " + statusText(result->status).str();
    return true;
  }
  bool differs = false;
  for (auto [actual, wanted] : zip(result->outputs, expected)) {
    verdicts.push_back(judge(actual, wanted, allowed));
    differs |= !verdicts.back().isGood();
  }
  return differs;
}

} // namespace sinter
