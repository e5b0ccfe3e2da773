// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands inputs to oracle/oracle.py and takes its outputs.
#include "driver/oracle.h"

#include "driver/script.h"
#include "driver/tensor_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
Error failure(const Twine &what) { return createStringError(inconvertibleErrorCode(), what); }

std::string setFolder(StringRef folder, size_t set) { return (folder + "/set_" + Twine(1000 + set)).str(); }

Error writeInputs(const ModelInfo &info, ArrayRef<std::vector<HostArray>> dataSets, StringRef folder) {
  json::Array inputs, outputs;
  json::Object states;
  for (const TensorInfo &tensor : info.inputs) {
    inputs.push_back(tensor.name);
    if (tensor.state >= 0)
      states[tensor.name] = tensor.state;
  }
  for (const TensorInfo &tensor : info.outputs)
    outputs.push_back(tensor.name);
  std::string names;
  raw_string_ostream(names) << json::Value(
      json::Object{{"inputs", std::move(inputs)}, {"outputs", std::move(outputs)}, {"states", std::move(states)}});
  if (Error error = writeFile(folder + "/names.json", names))
    return error;
  for (size_t set = 0; set < dataSets.size(); ++set) {
    std::string place = setFolder(folder, set);
    if (std::error_code code = sys::fs::create_directories(place))
      return createStringError(code, place + ": " + code.message());
    for (size_t i = 0; i < dataSets[set].size(); ++i)
      if (Error error = writeFile(place + "/input_" + Twine(i) + ".npy", toNpy(dataSets[set][i])))
        return error;
  }
  return Error::success();
}
} // namespace

Expected<std::vector<std::vector<HostArray>>> referenceOutputs(StringRef model, const ModelInfo &info,
                                                               ArrayRef<std::vector<HostArray>> dataSets, StringRef folder) {
  std::string place = (folder + "/oracle").str();
  sys::fs::create_directories(place);
  if (Error error = writeInputs(info, dataSets, place))
    return std::move(error);
  if (Error error = runScript("oracle.py", {model.str(), place}, folder, "onnxruntime gave no reference"))
    return std::move(error);
  std::string problem;
  std::vector<std::vector<HostArray>> outputs;
  for (size_t set = 0; set < dataSets.size(); ++set) {
    std::vector<HostArray> arrays;
    for (size_t i = 0; i < info.outputs.size(); ++i) {
      std::string path = setFolder(place, set) + "/output_" + std::to_string(i) + ".npy";
      std::optional<HostArray> array = readTensorFile(path, info.outputs[i].type, info.outputs[i].dims, problem);
      if (!array)
        return failure(problem);
      arrays.push_back(std::move(*array));
    }
    outputs.push_back(std::move(arrays));
  }
  return outputs;
}

} // namespace sinter
