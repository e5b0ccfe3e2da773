// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands inputs to oracle/oracle.py and takes its outputs.
#include "driver/oracle.h"

#include "driver/error_saying.h"
#include "driver/file_contents.h"
#include "driver/quantized_array.h"
#include "driver/script.h"
#include "driver/tensor_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
std::string setFolder(StringRef folder, size_t set) { return (folder + "/set_" + Twine(1000 + set)).str(); }

Error writeOracleInputs(const ModelInfo &info, ArrayRef<std::vector<HostArray>> dataSets, ArrayRef<std::string> values,
                        StringRef folder) {
  json::Array inputs, outputs, inputParts, outputParts, inside(values);
  json::Object states;
  auto partOf = [](const TensorInfo &tensor) {
    return json::Object{
        {"part", tensor.part}, {"type", elementTypeName(tensor.type)}, {"dims", json::Array(tensor.dims)}};
  };
  for (const TensorInfo &tensor : info.inputs) {
    inputs.push_back(tensor.value);
    inputParts.push_back(partOf(tensor));
    if (tensor.state >= 0)
      states[tensor.name] = tensor.state;
  }
  for (const TensorInfo &tensor : info.outputs) {
    outputs.push_back(tensor.value);
    outputParts.push_back(partOf(tensor));
  }
  Expected<json::Value> forms = json::parse(info.forms.empty() ? "null" : StringRef(info.forms)),
                        custom = json::parse(info.customOps.empty() ? "[]" : StringRef(info.customOps));
  if (!forms || !custom)
    return joinErrors(forms.takeError(), custom.takeError());
  std::string names;
  raw_string_ostream(names) << json::Value(json::Object{{"inputs", std::move(inputs)},
                                                        {"outputs", std::move(outputs)},
                                                        {"input_parts", std::move(inputParts)},
                                                        {"output_parts", std::move(outputParts)},
                                                        {"states", std::move(states)},
                                                        {"forms", std::move(*forms)},
                                                        {"custom", std::move(*custom)},
                                                        {"values", std::move(inside)}});
  if (Error error = writeFile(folder + "/names.json", names))
    return error;
  for (size_t set = 0; set < dataSets.size(); ++set) {
    std::string place = setFolder(folder, set);
    if (std::error_code code = sys::fs::create_directories(place))
      return createStringError(code, place + ": " + code.message());
    for (size_t i = 0; i < dataSets[set].size(); ++i)
      if (Error error =
              writeFile(place + "/input_" + Twine(i) + ".npy", toNpy(dequantized(dataSets[set][i], info.inputs[i]))))
        return error;
  }
  return Error::success();
}
} // namespace

/// Runs the script on the data sets; its results lie in `place`.
static Error ask(StringRef model, const ModelInfo &info, ArrayRef<std::vector<HostArray>> dataSets,
                 ArrayRef<std::string> values, StringRef folder, StringRef place) {
  if (std::error_code code = sys::fs::create_directories(place))
    return createStringError(code, "%s: cannot be made", place.str().c_str());
  if (Error error = writeOracleInputs(info, dataSets, values, place))
    return error;
  return runScript("oracle.py", {model.str(), place.str()}, folder, "onnxruntime gave no reference");
}

Expected<std::vector<Evaluated>> exactOutputs(StringRef model, const ModelInfo &info,
                                              const std::vector<HostArray> &inputs, ArrayRef<std::string> names,
                                              StringRef folder) {
  constexpr unsigned mostSeconds = 60; // numpy is no fast machine
  std::string place = (folder + "/exact").str(), problem;
  if (std::error_code code = sys::fs::create_directories(place))
    return createStringError(code, "%s: cannot be made", place.c_str());
  if (Error error = writeOracleInputs(info, inputs, names, place))
    return std::move(error);
  if (Error error =
          runScript("exact.py", {model.str(), place}, folder, "nothing was evaluated in float64", mostSeconds))
    return std::move(error);
  auto read = [&](StringRef kind, size_t i) {
    std::string path = setFolder(place, 0) + "/" + kind.str() + "_" + std::to_string(i) + ".npy";
    return readTensorFile(path, ElementType::Double, {}, problem);
  };
  std::vector<Evaluated> outputs;
  for (size_t i = 0; i < names.size(); ++i) {
    std::optional<HostArray> exact = read("exact", i);
    if (!exact)
      return errorSaying(problem);
    outputs.push_back({std::move(*exact), read("rounded", i)});
  }
  return outputs;
}

Expected<std::vector<std::vector<std::optional<HostArray>>>> referenceValues(StringRef model, const ModelInfo &info,
                                                                             ArrayRef<std::vector<HostArray>> dataSets,
                                                                             ArrayRef<std::string> names,
                                                                             StringRef folder) {
  std::string place = (folder + "/oracle_values").str(), problem;
  if (Error error = ask(model, info, dataSets, names, folder, place))
    return std::move(error);
  std::vector<std::vector<std::optional<HostArray>>> all;
  for (size_t set = 0; set < dataSets.size(); ++set) {
    std::vector<std::optional<HostArray>> &values = all.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) {
      std::string path = setFolder(place, set) + "/value_" + std::to_string(i) + ".npy";
      values.push_back(sys::fs::exists(path) ? readTensorFile(path, ElementType::Undefined, {}, problem)
                                             : std::nullopt);
    }
  }
  return all;
}

Expected<std::vector<LoopTurn>> referenceTurns(StringRef body, const LoopJob &job, StringRef customOps,
                                               StringRef folder) {
  std::string place = (folder + "/turns").str(), text, problem;
  if (std::error_code code = sys::fs::create_directories(place))
    return createStringError(code, "%s: cannot be made", place.c_str());
  Expected<json::Value> custom = json::parse(customOps.empty() ? "[]" : customOps);
  if (!custom)
    return custom.takeError();
  json::Array present, captured;
  for (auto [i, array] : enumerate(job.start)) {
    present.push_back(array.has_value());
    if (!array)
      continue;
    if (Error error = writeFile(place + "/start_" + Twine(i) + ".npy", toNpy(*array)))
      return std::move(error);
  }
  for (auto [i, array] : enumerate(job.captured)) {
    captured.push_back(array.name);
    if (Error error = writeFile(place + "/captured_" + Twine(i) + ".npy", toNpy(array)))
      return std::move(error);
  }
  raw_string_ostream(text) << json::Value(json::Object{{"kind", job.kind},
                                                       {"inputs", json::Array(job.inputs)},
                                                       {"outputs", json::Array(job.outputs)},
                                                       {"present", std::move(present)},
                                                       {"captured", std::move(captured)},
                                                       {"scans", job.scans},
                                                       {"axes", json::Array(job.axes)},
                                                       {"backwards", json::Array(job.backwards)},
                                                       {"most", job.mostTurns},
                                                       {"custom", std::move(*custom)}});
  if (Error error = writeFile(place + "/job.json", text))
    return std::move(error);
  if (Error error = runScript("turns.py", {body.str(), place}, folder, "onnxruntime gave no turns"))
    return std::move(error);
  std::vector<LoopTurn> turns;
  for (size_t turn = 0; sys::fs::exists(setFolder(place, turn)); ++turn) {
    LoopTurn &made = turns.emplace_back();
    for (auto [kind, arrays] : {std::pair("/input_", &made.inputs), {"/output_", &made.outputs}})
      for (size_t i = 0;; ++i) {
        std::string path = setFolder(place, turn) + kind + std::to_string(i) + ".npy";
        if (!sys::fs::exists(path))
          break;
        std::optional<HostArray> array = readTensorFile(path, ElementType::Undefined, {}, problem);
        if (!array)
          return errorSaying(problem);
        arrays->push_back(std::move(*array));
      }
  }
  return turns;
}

Expected<std::vector<FloatName>> floatNames(StringRef quantizedModel, ArrayRef<std::string> names, StringRef folder) {
  std::string place = (folder + "/float_names").str(), text;
  if (std::error_code code = sys::fs::create_directories(place))
    return createStringError(code, "%s: cannot be made", place.c_str());
  raw_string_ostream(text) << json::Value(json::Object{{"values", json::Array(names)}});
  if (Error error = writeFile(place + "/names.json", text))
    return std::move(error);
  if (Error error = runScript("float_names.py", {quantizedModel.str(), place}, folder, "the model was not read"))
    return std::move(error);
  auto file = MemoryBuffer::getFile(place + "/float_names.json");
  Expected<json::Value> parsed = file ? json::parse((*file)->getBuffer()) : errorSaying(file.getError().message());
  if (!parsed)
    return parsed.takeError();
  std::vector<FloatName> result;
  for (const json::Value &entry : *parsed->getAsArray()) {
    const json::Object &object = *entry.getAsObject();
    result.push_back({object.getString("name").value_or("").str(), object.getNumber("scale").value_or(0),
                      object.getInteger("zero_point").value_or(0), object.getBoolean("signed").value_or(false)});
  }
  return result;
}

Expected<std::vector<std::vector<HostArray>>>
referenceOutputs(StringRef model, const ModelInfo &info, ArrayRef<std::vector<HostArray>> dataSets, StringRef folder) {
  std::string place = (folder + "/oracle").str(), problem;
  if (Error error = ask(model, info, dataSets, {}, folder, place))
    return std::move(error);
  std::vector<std::vector<HostArray>> outputs;
  for (size_t set = 0; set < dataSets.size(); ++set) {
    std::vector<HostArray> arrays;
    for (size_t i = 0; i < info.outputs.size(); ++i) {
      std::string path = setFolder(place, set) + "/output_" + std::to_string(i) + ".npy";
      std::optional<HostArray> array = readTensor(path, info.outputs[i], info.outputs[i].dims, problem);
      if (!array)
        return errorSaying(problem);
      arrays.push_back(std::move(*array));
    }
    outputs.push_back(std::move(arrays));
  }
  return outputs;
}

} // namespace sinter
