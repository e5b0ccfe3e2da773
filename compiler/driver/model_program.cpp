// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building and running of a model's program. What goes between it and us is written down in runner/runner.cpp.
#include "driver/model_program.h"

#include "codegen/names.h"
#include "driver/byte_reader.h"
#include "support/embedded.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace runner {
extern const EmbeddedFile embedded[];
}

namespace {
Error failure(const Twine &what) { return createStringError(inconvertibleErrorCode(), what); }

std::string contentsOf(const Twine &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? (*file)->getBuffer().str() : std::string();
}

std::vector<TensorInfo> tensorsOf(const json::Array *array) {
  std::vector<TensorInfo> tensors;
  for (const json::Value &value : *array) {
    const json::Object &object = *value.getAsObject();
    TensorInfo tensor;
    tensor.name = object.getString("name")->str();
    tensor.type = static_cast<ElementType>(*object.getInteger("type"));
    for (const json::Value &dim : *object.getArray("dims"))
      tensor.dims.push_back(*dim.getAsInteger());
    for (const json::Value &symbol : *object.getArray("symbols"))
      tensor.symbols.push_back(*symbol.getAsInteger());
    tensor.state = static_cast<int>(*object.getInteger("state"));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

void writeArray(raw_ostream &out, const HostArray &array) {
  auto number = [&](int64_t value) { out.write(reinterpret_cast<const char *>(&value), sizeof value); };
  for (int64_t dim : array.dims)
    number(dim);
  out << array.bytes;
  for (const std::string &text : array.strings) {
    number(static_cast<int64_t>(text.size()));
    out << text;
  }
}

Error writeWatched(ArrayRef<WatchedBuffer> buffers, StringRef path) {
  std::error_code code;
  raw_fd_ostream out(path, code);
  if (code)
    return createStringError(code, path + ": " + code.message());
  for (const WatchedBuffer &buffer : buffers) {
    out << buffer.kernel << " " << buffer.output << " " << buffer.elementBytes << " " << buffer.sizes.size();
    for (const std::vector<int64_t> *numbers : {&buffer.sizes, &buffer.strides})
      for (int64_t number : *numbers)
        out << " " << number;
    out << "\n";
  }
  return Error::success();
}

HostArray readArray(ByteReader &in, const TensorInfo &info) {
  HostArray array;
  array.name = info.name;
  array.type = info.type;
  for (size_t i = 0; i < info.dims.size(); ++i)
    array.dims.push_back(in.number<int64_t>());
  if (info.type != ElementType::String)
    array.bytes = in.bytes(bytesOf(info.type, array.size())).str();
  else
    for (int64_t i = 0, n = array.size(); i < n && !in.failed(); ++i)
      array.strings.push_back(in.bytes(static_cast<size_t>(in.number<int64_t>())).str());
  return array;
}
} // namespace

StringRef statusText(int status) {
  static const char *const texts[] = {"ok",
                                      "null pointer",
                                      "misaligned pointer",
                                      "dim out of bounds",
                                      "capacity exceeded",
                                      "index out of range",
                                      "unsupported CPU",
                                      "device error"};
  return status >= 0 && status < 8 ? texts[status] : "unknown status";
}

Error writeRunnerSources(StringRef folder) {
  for (const EmbeddedFile *file = runner::embedded; file->name; ++file) {
    std::error_code code;
    raw_fd_ostream out((folder + "/" + file->name).str(), code);
    if (code)
      return createStringError(code, folder + ": " + code.message());
    out << file->text;
  }
  return Error::success();
}

Expected<std::string> compileRunner(const Cxx &cxx, StringRef folder, StringRef prefix) {
  if (Error error = writeRunnerSources(folder))
    return std::move(error);
  Expected<std::vector<std::string>> objects =
      cxx.compile(folder, {"runner.cpp"}, {"-DSINTER_PREFIX=" + Names::legal(prefix)});
  if (!objects)
    return objects.takeError();
  return objects->front();
}

Expected<std::unique_ptr<ModelProgram>> ModelProgram::link(const Target &target, const Cxx &cxx, StringRef folder,
                                                           ArrayRef<std::string> objects, StringRef runner) {
  bool native = runsOnHost(target);
  if (!native && target.runner.empty())
    return failure("this machine cannot run programs for " + target.name + ", and the target has no runner");
  std::vector<std::string> command;
  if (!native) {
    command = target.runner;
    ErrorOr<std::string> found = sys::findProgramByName(command.front());
    if (!found)
      return failure("to run programs for " + target.name + " here, " + command.front() + " is needed");
    command.front() = *found;
  }
  std::string program = (folder + "/program").str();
  std::vector<std::string> inputs(objects.begin(), objects.end());
  inputs.push_back(runner.str());
  inputs.push_back("-pthread");
  if (Error error = cxx.linkProgram(inputs, program, /*isStatic=*/!native))
    return std::move(error);
  command.push_back(program);
  std::unique_ptr<ModelProgram> made(new ModelProgram(folder.str(), command));
  if (Error error = made->describe())
    return std::move(error);
  return made;
}

Error ModelProgram::execute(ArrayRef<std::string> arguments, StringRef log, unsigned timeout) const {
  std::vector<std::string> all(command.begin() + 1, command.end());
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::string problem;
  int status = sinter::execute(command.front(), all, log, problem, timeout);
  if (status == 0)
    return Error::success();
  return failure("the model's program " + (problem.empty() ? "ended with status " + std::to_string(status) : problem) +
                 "\n" + contentsOf(log));
}

Error ModelProgram::describe() {
  std::string log = folder + "/description.json";
  if (Error error = execute({"describe"}, log, 60))
    return error;
  Expected<json::Value> parsed = json::parse(json::fixUTF8(contentsOf(log)));
  if (!parsed)
    return parsed.takeError();
  const json::Object &object = *parsed->getAsObject();
  model.arenaBytes = *object.getInteger("arena");
  model.weightsBytes = *object.getInteger("weights");
  model.inputs = tensorsOf(object.getArray("inputs"));
  model.outputs = tensorsOf(object.getArray("outputs"));
  for (const json::Value &value : *object.getArray("dims")) {
    const json::Object &dim = *value.getAsObject();
    model.dims.push_back({dim.getString("name")->str(), *dim.getInteger("min"), *dim.getInteger("max")});
  }
  for (const json::Value &value : *object.getArray("kernels")) {
    const json::Object &kernel = *value.getAsObject();
    model.kernels.push_back({kernel.getString("name")->str(), kernel.getString("nodes")->str()});
  }
  return Error::success();
}

Expected<RunResult> ModelProgram::run(ArrayRef<HostArray> inputs, const RunOptions &options) const {
  if (Error error = checkInputs(model, inputs))
    return std::move(error);
  std::string in = folder + "/in", out = folder + "/out";
  {
    std::error_code code;
    raw_fd_ostream file(in, code);
    if (code)
      return createStringError(code, in + ": " + code.message());
    for (const HostArray &input : inputs)
      writeArray(file, input);
  }
  std::vector<std::string> arguments = {"run",
                                        in,
                                        out,
                                        "--runs",
                                        std::to_string(options.runs),
                                        "--unmeasured",
                                        std::to_string(options.unmeasured),
                                        "--seconds",
                                        std::to_string(options.seconds),
                                        "--threads",
                                        std::to_string(options.threads)};
  if (options.trace)
    arguments.push_back("--trace");
  if (!weightsFile.empty()) {
    arguments.push_back("--weights");
    arguments.push_back(weightsFile);
  }
  if (!options.watched.empty()) {
    if (Error error = writeWatched(options.watched, folder + "/layers"))
      return std::move(error);
    arguments.insert(arguments.end(), {"--layers", folder + "/layers"});
  }
  if (Error error = execute(arguments, folder + "/log", options.timeout))
    return std::move(error);
  return readResult(out, options);
}

Expected<RunResult> ModelProgram::readResult(StringRef path, const RunOptions &options) const {
  std::string bytes = contentsOf(path);
  ByteReader in(bytes);
  RunResult result;
  result.status = in.number<int32_t>();
  if (result.status == 0) {
    for (const TensorInfo &output : model.outputs)
      result.outputs.push_back(readArray(in, output));
    for (int64_t i = 0, n = in.number<int64_t>(); i < n && !in.failed(); ++i)
      result.seconds.push_back(in.number<double>());
    for (size_t i = 0; options.trace && i < model.kernels.size(); ++i)
      result.kernelSeconds.push_back(in.number<double>());
    for (int64_t i = 0, n = options.trace ? in.number<int64_t>() : 0; i < n && !in.failed(); ++i) {
      auto kernel = in.number<int64_t>();
      auto start = in.number<double>();
      result.events.push_back({kernel, start, in.number<double>()});
    }
    for (size_t i = 0; i < options.watched.size() && !in.failed(); ++i)
      result.watched.push_back(in.bytes(static_cast<size_t>(in.number<int64_t>())).str());
  }
  if (in.failed())
    return failure("the model's program wrote less than it should");
  return result;
}

Error checkInputs(const ModelInfo &model, ArrayRef<HostArray> inputs) {
  if (inputs.size() != model.inputs.size())
    return failure("the model has " + Twine(model.inputs.size()) + " inputs, " + Twine(inputs.size()) + " were given");
  std::vector<int64_t> values(model.dims.size(), -1);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorInfo &expected = model.inputs[i];
    const HostArray &given = inputs[i];
    std::string name = "input '" + expected.name + "'";
    if (given.type != expected.type)
      return failure(name + " is " + elementTypeName(expected.type) + ", " + elementTypeName(given.type) +
                     " was given");
    bool fits = given.dims.size() == expected.dims.size();
    for (size_t d = 0; fits && d < given.dims.size(); ++d) {
      int64_t symbol = expected.symbols[d];
      if (symbol < 0) {
        fits = given.dims[d] == expected.dims[d];
        continue;
      }
      const DimInfo &dim = model.dims[static_cast<size_t>(symbol)];
      int64_t &value = values[static_cast<size_t>(symbol)];
      if (value >= 0 && value != given.dims[d])
        return failure(name + ": dim '" + dim.name + "' is " + Twine(given.dims[d]) + " here and " + Twine(value) +
                       " elsewhere");
      value = given.dims[d];
      if (value < dim.min || value > dim.max)
        return failure(name + ": dim '" + dim.name + "' is " + Twine(value) + ", outside " + Twine(dim.min) + ".." +
                       Twine(dim.max));
    }
    if (!fits)
      return failure(name + " is " + describe(expected.type, expected.dims) + ", " + describe(given.type, given.dims) +
                     " was given");
  }
  return Error::success();
}

} // namespace sinter
