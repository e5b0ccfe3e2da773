// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands a model, its shared library and inputs to oracle/rivals.py, and takes the times it noted.
#include "driver/rivals.h"

#include "driver/error_saying.h"
#include "driver/file_contents.h"
#include "driver/quantized_array.h"
#include "driver/script.h"
#include "driver/tensor_file.h"
#include "driver/version.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {
namespace {
/// Sizes that --dim fixed: others, too, may make use of them.
json::Object fixedDims(const CompileJob &job) {
  json::Object dims;
  for (const auto &entry : job.import.dims)
    if (entry.getValue().min == entry.getValue().max && !entry.getKey().contains(':'))
      dims[json::fixUTF8(entry.getKey())] = entry.getValue().min;
  return dims;
}

/// Values of the model's symbolic dims, as these inputs have them.
json::Array dimValues(const ModelInfo &info, ArrayRef<HostArray> inputs) {
  std::vector<int64_t> values(info.dims.size());
  for (const auto &[tensor, array] : zip(info.inputs, inputs))
    for (const auto &[symbol, size] : zip(tensor.symbols, array.dims))
      if (symbol >= 0)
        values[static_cast<size_t>(symbol)] = size;
  return json::Array(values);
}

/// All that the script needs to know to call the library without its header.
json::Object describeLibrary(const BuiltProgram &built, ArrayRef<HostArray> inputs, const BenchResult &result) {
  const ModelInfo &info = built.program->info();
  json::Array outputBytes, inputOffsets, outputOffsets;
  for (const TensorInfo &input : info.inputs)
    inputOffsets.push_back(input.arenaOffset);
  int64_t outputDims = 0;
  for (const auto &[i, output] : enumerate(info.outputs)) {
    if (any_of(info.inputs, [i = i](const TensorInfo &input) { return input.state == static_cast<int>(i); }))
      continue; // it lies in that input
    HostArray shape;
    shape.dims = output.dims;
    bool isText = output.type == ElementType::String;
    outputBytes.push_back(isText ? shape.size() * 16 : static_cast<int64_t>(bytesOf(output.type, shape.size())));
    outputOffsets.push_back(output.arenaOffset);
    outputDims += static_cast<int64_t>(output.dims.size());
  }
  return json::Object{{"prefix", built.job.codegen.prefix},
                      {"version", version()},
                      {"dims", dimValues(info, inputs)},
                      {"output_bytes", std::move(outputBytes)},
                      {"output_dims", outputDims},
                      {"arena_bytes", result.report.arenaBytes},
                      {"arena_align", result.report.arenaAlign},
                      {"input_offsets", std::move(inputOffsets)},
                      {"output_offsets", std::move(outputOffsets)}};
}

Error writeRivalInputs(const ModelInfo &info, ArrayRef<HostArray> inputs, StringRef folder, json::Object &job) {
  json::Array names;
  for (const auto &[i, input] : enumerate(inputs)) {
    names.push_back(json::fixUTF8(info.inputs[i].name));
    std::string stem = (folder + "/input_" + Twine(i)).str();
    if (Error error = writeFile(stem + ".npy", toNpy(dequantized(input, info.inputs[i]))))
      return error;
    if (Error error = writeFile(stem + ".bin", input.bytes))
      return error;
  }
  job["inputs"] = std::move(names);
  return Error::success();
}

/// Runs the script for these programs and adds what it answers.
Error runJob(json::Object &job, ArrayRef<std::string> programs, StringRef folder, BenchResult &result) {
  job["programs"] = json::Array(programs);
  std::string text;
  raw_string_ostream(text) << json::Value(json::Object(job));
  if (Error error = writeFile(folder + "/job.json", text))
    return error;
  if (Error error = runScript("rivals.py", {folder.str()}, folder, "--against"))
    return error;
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(folder + "/times.json");
  if (!file)
    return errorSaying("the script that runs others wrote no times");
  Expected<json::Value> parsed = json::parse((*file)->getBuffer());
  if (!parsed)
    return parsed.takeError();
  for (const json::Value &value : *parsed->getAsArray()) {
    const json::Object &answer = *value.getAsObject();
    Rival rival;
    rival.name = answer.getString("name")->str();
    rival.version = answer.getString("version")->str();
    rival.problem = answer.getString("problem").value_or("").str();
    std::vector<double> seconds;
    for (const json::Value &each : *answer.getArray("seconds"))
      seconds.push_back(*each.getAsNumber());
    rival.first = answer.getNumber("first").value_or(0);
    rival.times = summarize(std::move(seconds));
    result.rivals.push_back(std::move(rival));
  }
  return Error::success();
}
} // namespace

Expected<std::vector<std::string>> parseRivals(StringRef list) {
  std::vector<std::string> names;
  SmallVector<StringRef> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : parts) {
    if (name != "onnxruntime" && name != "openvino")
      return errorSaying("--against " + name + ": onnxruntime and openvino are known");
    names.push_back(name.str());
  }
  return names;
}

Error checkRivals(ArrayRef<std::string> names) {
  if (names.empty())
    return Error::success();
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging)
    return staging.takeError();
  std::vector<std::string> arguments = {"--check"};
  arguments.insert(arguments.end(), names.begin(), names.end());
  return runScript("rivals.py", arguments, (*staging)->folder(), "--against");
}

Error measureRivals(const BuiltProgram &built, ArrayRef<HostArray> inputs, ArrayRef<std::string> names, double seconds,
                    unsigned runs, BenchResult &result) {
  std::string folder = built.staging->file("against");
  if (std::error_code code = sys::fs::create_directories(folder))
    return createStringError(code, folder + ": " + code.message());
  json::Object job = describeLibrary(built, inputs, result);
  job["model"] = json::fixUTF8(built.job.model);
  job["library"] = folder + "/model.so";
  job["weights"] = built.callerBringsWeights() ? built.staging->file(weightsFileName(built.job.codegen)) : "";
  job["threads"] = result.threads;
  job["seconds"] = seconds;
  job["runs"] = runs;
  job["cold_bytes"] = result.coldBytes;
  job["fixed_dims"] = fixedDims(built.job);
  Expected<json::Value> custom = json::parse(customOpsJson().empty() ? "[]" : customOpsJson());
  if (!custom)
    return custom.takeError();
  job["custom"] = std::move(*custom);
  if (Error error = writeRivalInputs(built.program->info(), inputs, folder, job))
    return error;
  result.interleaved = result.threads == 1;
  if (result.interleaved) {
    if (Error error = built.cxx.linkShared(built.objects, folder + "/model.so"))
      return error;
    std::vector<std::string> programs = {"sinter"};
    programs.insert(programs.end(), names.begin(), names.end());
    return runJob(job, programs, folder, result);
  }
  result.rivals.push_back({"sinter", version(), "", result.call});
  for (const std::string &name : names)
    if (Error error = runJob(job, {name}, folder, result))
      return error;
  return Error::success();
}

} // namespace sinter
