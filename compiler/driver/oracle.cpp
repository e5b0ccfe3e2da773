// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands inputs to oracle/oracle.py and takes its outputs.
#include "driver/oracle.h"

#include "driver/tensor_file.h"
#include "support/embedded.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace scripts {
extern const EmbeddedFile embedded[];
}

namespace {
Error failure(const Twine &what) { return createStringError(inconvertibleErrorCode(), what); }

Error writeFile(const Twine &path, StringRef contents) {
  std::error_code code;
  raw_fd_ostream out(path.str(), code);
  if (code)
    return createStringError(code, path + ": " + code.message());
  out << contents;
  return Error::success();
}

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

Expected<std::string> findPython() {
  std::optional<std::string> given = sys::Process::GetEnv("SINTER_PYTHON");
  std::string name = given && !given->empty() ? *given : "python3";
  ErrorOr<std::string> found = sys::findProgramByName(name);
  if (!found)
    return failure(name + " was not found; SINTER_PYTHON names a Python that has onnxruntime");
  return *found;
}

Expected<std::string> writeScript(StringRef name, StringRef folder) {
  for (const EmbeddedFile *file = scripts::embedded; file->name; ++file) {
    if (name != file->name)
      continue;
    std::string path = (folder + "/" + name).str();
    if (Error error = writeFile(path, file->text))
      return std::move(error);
    return path;
  }
  return failure("no script is called " + name);
}

Expected<std::vector<std::vector<HostArray>>> referenceOutputs(StringRef model, const ModelInfo &info,
                                                               ArrayRef<std::vector<HostArray>> dataSets, StringRef folder) {
  std::string place = (folder + "/oracle").str();
  sys::fs::create_directories(place);
  if (Error error = writeInputs(info, dataSets, place))
    return std::move(error);
  Expected<std::string> python = findPython();
  if (!python)
    return python.takeError();
  Expected<std::string> script = writeScript("oracle.py", folder);
  if (!script)
    return script.takeError();
  std::string problem, log = (folder + "/oracle.log").str();
  if (execute(*python, {*script, model.str(), place}, log, problem) != 0) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(log);
    StringRef said = text ? (*text)->getBuffer().rtrim() : StringRef(problem);
    return failure("onnxruntime gave no reference: " + said.rsplit('\n').second + (said.contains('\n') ? "" : said));
  }
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
