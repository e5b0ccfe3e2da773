// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way of one model: compiled, interpreted behind passes, built, run.
#include "batch_case.h"

#include "children.h"
#include "interpret.h"
#include "sanitizers.h"

#include "driver/compile_flags.h"
#include "driver/compile_model.h"
#include "driver/cxx.h"
#include "driver/model_program.h"
#include "driver/staging.h"
#include "driver/tensor_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace sinter {
namespace {
constexpr unsigned runSeconds = 60;
/// One name for all, so that one runner serves all.
constexpr StringRef prefix = "model";

using Arrays = std::vector<HostArray>;

std::vector<std::string> stringsOf(const json::Object &object, StringRef key) {
  std::vector<std::string> strings;
  if (const json::Array *array = object.getArray(key))
    for (const json::Value &value : *array)
      if (std::optional<StringRef> text = value.getAsString())
        strings.push_back(text->str());
  return strings;
}

/// The inputs of a data set, in their order.
Expected<Arrays> readInputs(StringRef folder) {
  Arrays inputs;
  while (true) {
    std::string stem = (folder + "/input_" + Twine(inputs.size())).str();
    std::string path = sys::fs::exists(stem + ".pb") ? stem + ".pb" : stem + ".npy", problem;
    if (!sys::fs::exists(path))
      return inputs;
    std::optional<HostArray> array = readTensorFile(path, ElementType::Undefined, {}, problem);
    if (!array)
      return createStringError(inconvertibleErrorCode(), problem);
    inputs.push_back(std::move(*array));
  }
}

/// Writes outputs as <stem>_<i>.npy; what is told of them.
json::Object describeOutputs(Expected<Arrays> outputs, const Twine &stem) {
  if (!outputs)
    return json::Object{{"problem", toString(outputs.takeError())}};
  json::Array types;
  for (auto [i, output] : llvm::enumerate(*outputs)) {
    std::error_code code;
    raw_fd_ostream file((stem + "_" + Twine(i) + ".npy").str(), code);
    file << toNpy(output);
    types.push_back(elementTypeName(output.type));
  }
  return json::Object{{"outputs", std::move(types)}};
}

json::Array describeProblems(const Diagnostics &diagnostics) {
  json::Array problems;
  for (const Problem &problem : diagnostics.all())
    problems.push_back(json::Object{{"code", codeNumber(problem.code)},
                                    {"message", json::fixUTF8(problem.message)},
                                    {"node", json::fixUTF8(problem.place.node)},
                                    {"operator", json::fixUTF8(problem.place.operatorName)}});
  return problems;
}

class Batch {
public:
  Batch(const BatchCase &one, StringRef cache) : one(one), cache(cache) {}

  json::Object run() {
    CompileFlags flags;
    std::vector<const char *> arguments = {"sinter-batch", one.model.c_str()};
    for (const std::string &flag : one.flags)
      arguments.push_back(flag.c_str());
    CompileJob job;
    if (parseFlags(arguments, {""}) || !flags.toJob(job))
      return json::Object{{"verdict", "usage"}};
    job.codegen.prefix = prefix;
    readData();
    job.pipeline.verifyEach = true;
    job.pipeline.observe = [&](StringRef pass, mlir::ModuleOp module) { look(pass, module); };
    Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
    if (!staging)
      return json::Object{{"verdict", "usage"}, {"problem", toString(staging.takeError())}};
    Diagnostics diagnostics;
    CompiledModel compiled;
    ExitStatus status = compileModel(job, **staging, diagnostics, compiled);
    json::Object result{{"verdict", status == ExitOk      ? "accepted"
                                    : status == ExitModel ? "rejected"
                                    : status == ExitUsage ? "usage"
                                                          : "crashed"},
                        {"problems", describeProblems(diagnostics)}};
    if (!interpretations.empty())
      result["interpreted"] = std::move(interpretations);
    if (status == ExitOk && one.built)
      result["built"] = build(job, flags, **staging, compiled);
    return result;
  }

private:
  void readData() {
    for (const std::string &folder : one.data) {
      Expected<Arrays> inputs = readInputs(folder);
      if (!inputs)
        report_fatal_error(inputs.takeError());
      data.push_back(std::move(*inputs));
    }
  }

  void look(StringRef pass, mlir::ModuleOp module) {
    hasTensors |= pass == "convert-nodes";
    if (!hasTensors)
      return;
    int64_t place = passes++;
    hasTensors = pass != "bufferize";
    if (!hasTensors || (!is_contained(one.interpreted, pass) && !is_contained(one.interpreted, "all")))
      return;
    for (size_t set = 0; set < data.size(); ++set) {
      json::Object told =
          describeOutputs(interpret(module, data[set]), Twine(one.out) + "/pass" + Twine(place) + "_set" + Twine(set));
      told["pass"] = pass;
      told["place"] = place;
      told["set"] = static_cast<int64_t>(set);
      interpretations.push_back(std::move(told));
    }
  }

  /// The runner of this target and these flags, made once.
  Expected<std::string> runner(const Cxx &cxx) const {
    std::string key = utohexstr(hash_value(cxx.program + join(cxx.flags, " ")));
    std::string path = (cache + "/runner_" + key + ".o").str();
    if (sys::fs::exists(path))
      return path;
    Expected<std::unique_ptr<Staging>> own = Staging::temporary();
    if (!own)
      return own.takeError();
    Expected<std::string> made = compileRunner(cxx, (*own)->folder(), prefix);
    if (!made)
      return made.takeError();
    std::string beside = path + "." + std::to_string(getpid());
    std::error_code code = sys::fs::copy_file(*made, beside);
    if (!code)
      code = sys::fs::rename(beside, path);
    if (code)
      return createStringError(code, path);
    return path;
  }

  json::Object build(const CompileJob &job, const CompileFlags &flags, const Staging &staging,
                     const CompiledModel &compiled) {
    liftMemoryLimit();
    const Target &target = job.codegen.target;
    Expected<Cxx> cxx = findCxx(target, flags.cxx, flags.optimization);
    if (!cxx)
      return json::Object{{"problem", toString(cxx.takeError())}};
    if (one.sanitized)
      addSanitizers(*cxx);
    Expected<std::string> main = runner(*cxx);
    if (!main)
      return json::Object{{"problem", toString(main.takeError())}};
    cxx->linkWith(compiled.libraries);
    Expected<std::vector<std::string>> objects = cxx->compile(staging.folder(), compiled.sources());
    if (!objects)
      return json::Object{{"problem", toString(objects.takeError())}};
    Expected<std::unique_ptr<ModelProgram>> program =
        ModelProgram::link(target, *cxx, staging.folder(), *objects, *main);
    if (!program)
      return json::Object{{"problem", toString(program.takeError())}};
    json::Array runs;
    for (size_t set = 0; set < data.size(); ++set)
      runs.push_back(runOn(**program, set, job.codegen.threads));
    return json::Object{{"runs", std::move(runs)}, {"arena", (*program)->info().arenaBytes}};
  }

  json::Object runOn(const ModelProgram &program, size_t set, int threads) {
    RunOptions options;
    options.timeout = runSeconds;
    options.threads = threads;
    Expected<RunResult> result = program.run(data[set], options);
    if (!result)
      return json::Object{{"problem", json::fixUTF8(toString(result.takeError()))}};
    if (result->status != 0)
      return json::Object{{"status", result->status}};
    return describeOutputs(std::move(result->outputs), Twine(one.out) + "/built_set" + Twine(set));
  }

  const BatchCase &one;
  StringRef cache;
  std::vector<Arrays> data;
  json::Array interpretations;
  int64_t passes = 0;
  bool hasTensors = false;
};
} // namespace

Expected<BatchCase> parseBatchCase(StringRef line) {
  BatchCase one;
  if (!line.starts_with("{")) {
    one.model = line.str();
    return one;
  }
  Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  one.model = object->getString("model").value_or("").str();
  one.flags = stringsOf(*object, "flags");
  one.data = stringsOf(*object, "data");
  one.interpreted = stringsOf(*object, "interpreted");
  one.built = object->getBoolean("built").value_or(false);
  one.sanitized = object->getBoolean("sanitized").value_or(false);
  one.out = object->getString("out").value_or("").str();
  return one;
}

json::Object runBatchCase(const BatchCase &one, StringRef cache) { return Batch(one, cache).run(); }

} // namespace sinter
