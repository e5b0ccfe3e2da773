// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way of one case through the compiler, as a user's model would go, and the package's own comparison.
#include "case.h"
#include "recording.h"

#include "driver/compare.h"
#include "driver/compile_flags.h"
#include "driver/compile_model.h"
#include "driver/host_value.h"
#include "driver/inputs.h"
#include "driver/model_program.h"
#include "driver/quantized_array.h"
#include "driver/staging.h"
#include "driver/tensor_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sinter::conformance {
namespace {
constexpr unsigned runSeconds = 60;

std::string firstProblem(const Diagnostics &diagnostics) {
  if (diagnostics.all().empty())
    return "no diagnostic";
  const Problem &problem = diagnostics.all().front();
  std::string text = problem.message;
  if (!problem.place.operatorName.empty() && !StringRef(text).contains(problem.place.operatorName))
    text = problem.place.operatorName + ": " + text;
  return text + " [" + codeNumber(problem.code).str() + "]";
}

/// What it is that the compiler did not do. Device code that it made and that does not compile is no answer to a model.
Outcome outcomeOf(ExitStatus status, const Diagnostics &diagnostics) {
  bool isBroken = llvm::any_of(diagnostics.all(), [](const Problem &problem) {
    return problem.code == Code::DeviceCodeFailed || problem.code == Code::KernelTooLarge;
  });
  if (isBroken)
    return Outcome::Broken;
  return status == ExitModel ? Outcome::Rejected : Outcome::Failed;
}

/// The largest size that the recorded tensors of a case speak of: a dim of one, or a whole number in one.
int64_t largestSizeIn(StringRef folder) {
  constexpr int64_t plausible = int64_t(1) << 20; // numbers above are no sizes
  int64_t most = 1;
  std::error_code code;
  for (sys::fs::recursive_directory_iterator file(folder, code), end; file != end && !code; file.increment(code)) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> bytes = MemoryBuffer::getFile(file->path());
    std::string problem;
    std::optional<HostArray> tensor;
    bool isRecorded = StringRef(file->path()).ends_with(".pb") && bytes;
    if (isRecorded)
      tensor = parseTensorProto((*bytes)->getBuffer(), problem);
    if (!tensor) {
      std::optional<HostValue> sequence;
      if (isRecorded)
        sequence = parseValueProto((*bytes)->getBuffer(), /*isOptional=*/false, HostValue::Sequence, problem);
      most = std::max(most, sequence ? static_cast<int64_t>(sequence->tensors.size()) : 0);
      continue;
    }
    for (int64_t dim : tensor->dims)
      most = std::max(most, dim);
    for (int64_t i = 0; (isInteger(tensor->type) || isFloat(tensor->type)) && i < tensor->size(); ++i)
      if (double number = numberAt(*tensor, i); number == std::floor(number) && number <= double(plausible))
        most = std::max(most, static_cast<int64_t>(number));
  }
  return most;
}

/// The flag --bound=NODE:OUTPUT=N for a size that has none, with the data's largest size for N.
std::string boundAskedFor(const Diagnostics &diagnostics, StringRef folder) {
  for (const Problem &problem : diagnostics.all()) {
    StringRef hint = problem.hint;
    if (problem.code == Code::SizeWithoutBound && hint.consume_front("--bound ") && hint.consume_back("=N"))
      return ("--bound=" + hint + "=" + Twine(largestSizeIn(folder))).str();
  }
  return "";
}

/// The first error of a compiler's messages.
std::string firstError(StringRef messages) {
  SmallVector<StringRef> lines;
  messages.split(lines, '\n');
  for (StringRef line : lines)
    if (size_t at = line.find("error: "); at != StringRef::npos)
      return line.drop_front(at).str();
  return messages.str();
}

/// Of all that decides whether a case passes: what is built, how, and what calls it.
std::string hashOf(const Staging &staging, const CompiledModel &compiled, const Setup &setup) {
  SHA256 hash;
  hash.update(setup.cxx.program + join(setup.cxx.flags, " "));
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> runner = MemoryBuffer::getFile(setup.runner))
    hash.update((*runner)->getBuffer());
  for (const std::string &name : compiled.files)
    if (ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(staging.file(name)))
      hash.update((*file)->getBuffer());
  return toHex(hash.final(), /*LowerCase=*/true);
}

/// On a GPU: the kernels that one thread computes.
std::string kernelsOfOneThread(const Staging &staging, const CompiledModel &compiled) {
  std::vector<std::string> kinds;
  for (const std::string &name : compiled.files) {
    if (!StringRef(name).ends_with("_report.json"))
      continue;
    ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(staging.file(name));
    Expected<json::Value> report = json::parse(file ? (*file)->getBuffer() : StringRef());
    const json::Object *object = report ? report->getAsObject() : nullptr;
    if (!report)
      consumeError(report.takeError());
    const json::Array *kernels = object ? object->getArray("kernels") : nullptr;
    for (size_t i = 0; kernels && i < kernels->size(); ++i)
      if (const json::Object *call = (*kernels)[i].getAsObject();
          call && call->getString("why").value_or("").starts_with("one thread"))
        kinds.push_back(call->getString("kernel").value_or("").str());
  }
  return join(kinds, ", ");
}

/// As onnx.backend.test.runner compares.
bool agrees(const HostArray &actual, const HostArray &expected, const Case &one, std::string &why) {
  if (one.random) {
    if (actual.type == expected.type && actual.dims == expected.dims)
      return true;
    why = describe(actual.type, actual.dims) + " instead of " + describe(expected.type, expected.dims);
    return false;
  }
  return allClose(actual, expected, relativeTolerance(one, expected.type), one.atol, why);
}

/// Where things lie: the model, and a temporary folder.
struct Places {
  StringRef model, work;
};

/// One run of a data set.
Verdict runOnce(const ModelProgram &program, const std::vector<HostArray> &inputs, ArrayRef<HostArray> expected,
                const Case &one, const RunOptions &options, const Places &places) {
  const ModelInfo &info = program.info();
  Expected<RunResult> result = program.run(inputs, options);
  if (!result)
    return {Outcome::Broken, toString(result.takeError())};
  if (result->status != 0)
    return {Outcome::Wrong,
            "the call ended with status " + std::to_string(result->status) + ": " + statusText(result->status).str()};
  if (expected.size() != result->outputs.size())
    return {Outcome::Wrong,
            std::to_string(result->outputs.size()) + " outputs instead of " + std::to_string(expected.size())};
  std::vector<HostArray> actual = dequantized(result->outputs, info.outputs);
  std::string why, evidence;
  for (size_t i = 0; i < expected.size(); ++i)
    if (!agrees(actual[i], expected[i], one, why)) {
      if (isRecordingOff(places.model, info, inputs, actual, expected, one, places.work, evidence))
        return {Outcome::RecordingOff, evidence};
      return {Outcome::Wrong, "output '" + info.outputs[i].name + "': " + why + "; " + evidence};
    }
  return {one.random ? Outcome::PassedShape : Outcome::Passed, ""};
}

bool hasPassed(const Verdict &verdict) {
  Outcome outcome = verdict.outcome;
  return outcome == Outcome::Passed || outcome == Outcome::PassedShape || outcome == Outcome::RecordingOff;
}

Verdict runDataSet(const ModelProgram &program, StringRef folder, const Case &one, const Setup &setup, int threads,
                   const Places &places) {
  const ModelInfo &info = program.info();
  Expected<std::vector<HostArray>> inputs = readDataSet(folder, "input", info.inputs);
  if (!inputs)
    return {Outcome::Wrong, toString(inputs.takeError())};
  // Cases may record fewer or more inputs than the model still has, never others.
  Expected<std::vector<HostArray>> expected = readDataSet(folder, "output", info.outputs);
  if (!expected)
    return {Outcome::Wrong, toString(expected.takeError())};
  for (auto [i, input] : llvm::enumerate(*inputs))
    input = quantized(std::move(input), info.inputs[i]);
  if (Error error = checkInputs(info, *inputs))
    return {Outcome::Wrong, toString(std::move(error))};
  RunOptions options;
  options.timeout = runSeconds;
  options.threads = threads;
  Verdict verdict = runOnce(program, *inputs, *expected, one, options, places);
  if (!setup.sanitize || !hasPassed(verdict))
    return verdict;
  options.unaligned = true;
  if (Verdict again = runOnce(program, *inputs, *expected, one, options, places); !hasPassed(again)) {
    again.reason = "tensors aligned to their elements only: " + again.reason;
    return again;
  }
  if (Error error = program.refuse(*inputs, runSeconds))
    return {Outcome::Broken, toString(std::move(error))};
  return verdict;
}
} // namespace

std::vector<Case> readCases(StringRef folder, std::string &problem) {
  std::vector<Case> cases;
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(folder + "/cases.tsv");
  if (!file) {
    problem =
        (folder + "/cases.tsv: " + file.getError().message() + "; test/conformance/make_cases.py writes it").str();
    return cases;
  }
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    SmallVector<StringRef> fields;
    line.split(fields, '\t');
    Case one;
    if (fields.size() < 5 || fields[2].getAsDouble(one.rtol) || fields[3].getAsDouble(one.atol)) {
      problem = ("cases.tsv: cannot read '" + line + "'").str();
      return cases;
    }
    one.kind = fields[0].str();
    one.name = fields[1].str();
    one.random = fields[4] == "1";
    for (StringRef flag : ArrayRef(fields).drop_front(5))
      one.flags.push_back(flag.str());
    cases.push_back(one);
  }
  return cases;
}

StringRef outcomeText(Outcome outcome) {
  switch (outcome) {
  case Outcome::Passed:
    return "passed";
  case Outcome::PassedShape:
    return "passed (random: type and shape)";
  case Outcome::RecordingOff:
    return "recording off";
  case Outcome::Rejected:
    return "rejected";
  case Outcome::Wrong:
    return "wrong";
  case Outcome::Failed:
    return "failed";
  case Outcome::Broken:
    return "broken";
  }
  return "";
}

/// Whether the flags are good.
static bool makeJob(const Case &one, const Setup &setup, const std::string &model, ArrayRef<std::string> bounds,
                    CompileJob &job) {
  forgetFlags(); // the driver's own flags go, the compiler's come
  CompileFlags flags;
  std::vector<const char *> arguments = {"sinter-conformance", model.c_str(), "--prefix=model"};
  for (ArrayRef<std::string> some : {ArrayRef(setup.flags), ArrayRef(one.flags), bounds})
    for (const std::string &flag : some)
      arguments.push_back(flag.c_str());
  if (parseFlags(arguments, {""}) || !flags.toJob(job))
    return false;
  job.codegen.compiler = "sinter-conformance";
  job.pipeline.verifyEach = true;
  job.device.isEmulated = setup.emulation.has_value();
  return true;
}

Verdict runCase(const Case &one, const Setup &setup) {
  std::string folder = setup.cases + "/" + one.kind + "/" + one.name;
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging)
    return {Outcome::Failed, toString(staging.takeError())};
  // Bounds that a model does not give come from its data, one for each size that the compiler asks for.
  constexpr size_t mostBounds = 16;
  std::vector<std::string> bounds;
  CompileJob job;
  CompiledModel compiled;
  while (true) {
    job = CompileJob();
    compiled = CompiledModel();
    Diagnostics diagnostics;
    if (!makeJob(one, setup, folder + "/model.onnx", bounds, job))
      return {Outcome::Failed, "flags"};
    ExitStatus status = compileModel(job, **staging, diagnostics, compiled);
    if (status == ExitOk)
      break;
    std::string bound = boundAskedFor(diagnostics, folder);
    if (bound.empty() || bounds.size() == mostBounds || is_contained(bounds, bound))
      return {outcomeOf(status, diagnostics), firstProblem(diagnostics)};
    bounds.push_back(bound);
  }

  std::string ofOneThread = setup.target.isGpu() ? kernelsOfOneThread(**staging, compiled) : "";
  if (setup.onlyCubins)
    return {Outcome::Passed, "", ofOneThread};
  std::string passedBefore = setup.cache + "/" + one.kind + "-" + one.name + "-" + hashOf(**staging, compiled, setup);
  if (!setup.cache.empty() && sys::fs::exists(passedBefore))
    return {one.random ? Outcome::PassedShape : Outcome::Passed, "", ofOneThread};

  StringRef work = (*staging)->folder();
  Cxx cxx = setup.cxx;
  cxx.linkWith(compiled.libraries);
  Expected<std::vector<std::string>> objects = cxx.compile(work, compiled.sources());
  if (!objects)
    return {Outcome::Broken, "generated code does not compile: " + firstError(toString(objects.takeError()))};
  Expected<std::unique_ptr<ModelProgram>> program = ModelProgram::link(setup.target, cxx, work, *objects, setup.runner);
  if (!program)
    return {Outcome::Broken, toString(program.takeError())};
  if (job.device.isEmulated) {
    Expected<std::string> driver = buildEmulatedGpu(setup.cxx, setup.target, work, "model", *setup.emulation);
    if (!driver)
      return {Outcome::Broken, "device code does not compile: " + firstError(toString(driver.takeError()))};
    (*program)->setGpuDriver(*driver);
  }
  Verdict verdict{Outcome::Failed, "no data set"};
  bool isOff = false;
  for (const std::string &dataSet : dataSetsIn(folder)) {
    Verdict of = runDataSet(**program, dataSet, one, setup, job.codegen.threads, {folder + "/model.onnx", work});
    if (!hasPassed(of))
      return of;
    if (!isOff)
      verdict = of;
    isOff |= of.outcome == Outcome::RecordingOff;
  }
  std::error_code code;
  if (!setup.cache.empty() && !isOff)
    raw_fd_ostream(passedBefore, code) << "passed\n";
  verdict.ofOneThread = ofOneThread;
  return verdict;
}

} // namespace sinter::conformance
