// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building and running of a model's program. What goes between it and us is written down in runner/runner.cpp.
#include "driver/model_program.h"

#include "codegen/abi/abi_header.h"
#include "codegen/library_file.h"

#include "codegen/codegen.h"
#include "driver/byte_reader.h"
#include "driver/error_saying.h"
#include "driver/file_contents.h"
#include "driver/host_value.h"
#include "driver/object_cache.h"
#include "runtime-lite/types.h"
#include "support/embedded.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace runner {
extern const EmbeddedFile embedded[];
}

namespace {
std::vector<TensorInfo> tensorsOf(const json::Array *array) {
  std::vector<TensorInfo> tensors;
  for (const json::Value &value : *array) {
    const json::Object &object = *value.getAsObject();
    TensorInfo tensor;
    tensor.name = tensor.value = object.getString("name")->str();
    tensor.part = object.getString("part").value_or("").str(); // boards may hold older programs
    if (!tensor.part.empty())
      tensor.name += "." + tensor.part;
    tensor.type = static_cast<ElementType>(*object.getInteger("type"));
    for (const json::Value &dim : *object.getArray("dims"))
      tensor.dims.push_back(*dim.getAsInteger());
    for (const json::Value &symbol : *object.getArray("symbols"))
      tensor.symbols.push_back(*symbol.getAsInteger());
    tensor.state = static_cast<int>(*object.getInteger("state"));
    tensor.growingDim = *object.getInteger("grows");
    tensor.scale = bit_cast<float>(static_cast<uint32_t>(*object.getInteger("scale_bits")));
    tensor.zeroPoint = *object.getInteger("zero_point");
    tensor.arenaOffset = *object.getInteger("arena_offset");
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Error writeWatched(ArrayRef<WatchedBuffer> buffers, StringRef path) {
  return writeFile(path, [&](raw_ostream &out) {
    for (const WatchedBuffer &buffer : buffers) {
      out << buffer.kernel << " " << buffer.output << " " << buffer.elementBytes << " " << buffer.sizes.size();
      for (const std::vector<int64_t> *numbers : {&buffer.sizes, &buffer.strides})
        for (int64_t number : *numbers)
          out << " " << number;
      out << "\n";
    }
  });
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

StringRef statusText(int status) { return sinter_text_of_status(status); }

Error writeRunnerSources(StringRef folder) {
  for (const EmbeddedFile *files : {runner::embedded, boardFiles()})
    for (const EmbeddedFile *file = files; file->name; ++file)
      if (Error error = writeFile(folder + "/" + file->name, file->text))
        return error;
  return Error::success();
}

/// Where the runner's files lie: a model may have any name, also one of theirs.
static std::string runnerFolder(StringRef folder) { return (folder + "/runner").str(); }

/// Makes that folder, and the runner's files in it.
static Expected<std::string> makeRunnerFolder(StringRef folder) {
  std::string own = runnerFolder(folder);
  if (std::error_code code = sys::fs::create_directory(own))
    return createStringError(code, own + ": " + code.message());
  if (Error error = writeRunnerSources(own))
    return std::move(error);
  return own;
}

/// Some of the runner's files, as objects.
static Expected<std::vector<std::string>> compileRunnerFiles(const Cxx &cxx, StringRef folder,
                                                             ArrayRef<std::string> names, ArrayRef<std::string> flags) {
  Expected<std::string> own = makeRunnerFolder(folder);
  if (!own)
    return own.takeError();
  return compileCached(cxx, *own, names, flags);
}

Expected<std::string> compileSessionProgram(const Cxx &cxx, StringRef folder, const CodegenOptions &options,
                                            StringRef main, ArrayRef<std::string> defined) {
  Expected<std::string> own = makeRunnerFolder(folder);
  if (!own)
    return own.takeError();
  std::string names = legalPrefix(options.prefix), missing;
  mlir::FailureOr<std::string> sampling =
      libraryText({"runtime-lite/generation/sampler.h", "runtime-lite/generation/text_stream.h",
                   "runtime-lite/generation/prompt_lookup.h", "runtime-lite/generation/drafted_steps.h",
                   "runtime-lite/generation/draft_model.h", "runtime-lite/generation/beam_search.h",
                   "runtime-lite/generation/contrastive_steps.h", "runtime-lite/generation/speech_doubt.h",
                   "runtime-lite/generation/speech_times.h", "runtime-lite/generation/word_times.h"},
                  options, missing);
  if (failed(sampling))
    return createStringError(inconvertibleErrorCode(), "no template " + missing);
  mlir::FailureOr<std::string> sound = libraryText({"runtime-lite/generation/log_mel.h"}, options, missing);
  if (failed(sound))
    return createStringError(inconvertibleErrorCode(), "no template " + missing);
  for (auto [name, text] : {std::pair("/sampling.h", &*sampling), std::pair("/sound.h", &*sound)})
    if (Error error = writeFile(*own + name, *text))
      return std::move(error);
  std::vector<std::string> flags = {
      "-DSINTER_PREFIX=" + names, "-DSINTER_MACRO=" + ModelNames(names).macro.text().str(),
      "-DSINTER_SESSION=\"" + names + "_session.h\"", "-DSINTER_THREADS=" + std::to_string(options.threads)};
  for (const std::string &each : defined)
    flags.push_back("-D" + each);
  Expected<std::vector<std::string>> objects =
      compileModelSources(cxx, folder, {("runner/" + main).str()}, options, flags);
  if (!objects)
    return objects.takeError();
  return objects->front();
}

Expected<std::string> compileRunner(const Cxx &cxx, StringRef folder, StringRef prefix, ArrayRef<std::string> flags) {
  std::vector<std::string> all(flags.begin(), flags.end());
  all.push_back("-DSINTER_PREFIX=" + legalPrefix(prefix));
  Expected<std::vector<std::string>> objects =
      compileRunnerFiles(cxx, folder, {cxx.isFreestanding ? "board_runner.cpp" : "runner.cpp"}, all);
  if (!objects)
    return objects.takeError();
  return objects->front();
}

Expected<std::vector<std::string>> compileMemory(const Cxx &cxx, StringRef folder) {
  return compileRunnerFiles(cxx, folder, {"memory.cpp"}, {"-ffreestanding"});
}

void ModelProgram::setWeightsFile(std::string path) {
  weightsFile = std::move(path);
  if (link_)
    link_->setWeights(sys::path::filename(weightsFile).str());
}

Error ModelProgram::makeImage(const Cxx &cxx, ArrayRef<std::string> objects, StringRef script) {
  Expected<std::vector<std::string>> start =
      compileRunnerFiles(cxx, folder, {"start.cpp", "memory.cpp"}, {"-ffreestanding"});
  if (!start)
    return start.takeError();
  std::vector<std::string> all = *start;
  all.insert(all.end(), objects.begin(), objects.end());
  return cxx.linkImage(all, runnerFolder(folder), script, folder + "/program");
}

/// A linker script of the user's, in the runner's folder, where those that it includes lie.
static Expected<std::string> ownScript(StringRef path, StringRef folder) {
  constexpr StringRef name = "own_board.ld";
  if (std::error_code code = sys::fs::create_directory(runnerFolder(folder)))
    return createStringError(code, runnerFolder(folder) + ": " + code.message());
  if (std::error_code code = sys::fs::copy_file(path, runnerFolder(folder) + "/" + name))
    return createStringError(code, "--board " + path + ": " + code.message());
  return name.str();
}

Expected<std::unique_ptr<ModelProgram>> ModelProgram::connect(StringRef folder, StringRef runner) {
  Expected<std::unique_ptr<BoardLink>> link = serialBoard(runner);
  if (!link)
    return link.takeError();
  std::unique_ptr<ModelProgram> made(new ModelProgram(folder.str(), {}));
  made->link_ = std::move(*link);
  made->nameOfBoard = runner.str();
  made->summaryOfBoard = "on the board at " + runner.str();
  if (Error error = made->describe())
    return std::move(error);
  return made;
}

/// What Node runs programs with. The runner's object may be of another folder.
static Expected<std::string> writeWasiScript(StringRef folder) {
  constexpr StringRef name = "wasi.mjs";
  std::string path = (folder + "/" + name).str();
  const EmbeddedFile *script = runner::embedded;
  while (name != script->name)
    ++script;
  if (Error error = writeFile(path, script->text))
    return std::move(error);
  return path;
}

Expected<std::unique_ptr<ModelProgram>> ModelProgram::link(const Target &target, const Cxx &cxx, StringRef folder,
                                                           ArrayRef<std::string> objects, StringRef runner,
                                                           const BoardChoice &choice) {
  bool native = runsOnHost(target), isOwn = startsImages(choice.runner);
  std::optional<Board> board;
  std::string script;
  if (isOwn && StringRef(choice.board).ends_with(".ld")) {
    Expected<std::string> copied = ownScript(choice.board, folder);
    if (!copied)
      return copied.takeError();
    script = *copied;
  } else if (target.isMicrocontroller() || !choice.board.empty()) {
    std::string problem;
    board = findBoard(target, choice.board, problem);
    if (!board)
      return errorSaying(problem);
    script = board->name + ".ld";
  }
  if (isOwn && script.empty())
    return errorSaying("--runner starts images, and " + target.name + " makes programs for an operating system");
  if (!native && target.runner.empty() && script.empty())
    return errorSaying("this machine cannot run programs for " + target.name + ", and the target has no runner");
  std::vector<std::string> command;
  if (!native && !isOwn) {
    command = board ? std::vector<std::string>{board->emulator} : target.runner;
    ErrorOr<std::string> found = sys::findProgramByName(command.front());
    if (!found)
      return errorSaying("to run programs for " + target.name + " here, " + command.front() + " is needed");
    command.front() = *found;
    if (target.isWebAssembly()) {
      Expected<std::string> script = writeWasiScript(folder);
      if (!script)
        return script.takeError();
      command.push_back(*script);
    }
  }
  // A program that opens a driver is no static one, so the target's C library has to be found.
  bool isStatic = !native && !target.isGpu();
  if (!native && target.isGpu())
    command.insert(command.end(), {"-L", "/usr/" + target.triple});
  std::string program = (folder + (cxx.format == ObjectFormat::Coff ? "/program.exe" : "/program")).str();
  std::vector<std::string> inputs(objects.begin(), objects.end());
  inputs.push_back(runner.str());
  std::unique_ptr<ModelProgram> made(new ModelProgram(folder.str(), command));
  Error error = Error::success();
  if (!script.empty()) {
    made->link_ =
        isOwn ? debuggedBoard(choice.runner, folder.str()) : emulatedBoard(*board, command.front(), folder.str());
    made->nameOfBoard = isOwn ? choice.runner : board->name;
    made->summaryOfBoard = isOwn ? "on the board behind --runner" : "emulated: " + board->summary;
    error = made->makeImage(cxx, inputs, script);
  } else {
    made->command.push_back(program);
    inputs.push_back(target.isWebAssembly() ? "-Wl,-z,stack-size=8388608" : "-pthread"); // as much as elsewhere
    error = cxx.linkProgram(inputs, program, isStatic);
  }
  if (!error)
    error = made->describe();
  if (error)
    return std::move(error);
  return made;
}

char ProgramDied::ID = 0;

Error ModelProgram::execute(ArrayRef<std::string> arguments, StringRef log, unsigned timeout) const {
  std::vector<std::string> all(command.begin() + 1, command.end());
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::string problem;
  int status = sinter::execute(command.front(), all, log, problem, timeout);
  if (status == 0)
    return Error::success();
  return make_error<ProgramDied>("the model's program " +
                                 (problem.empty() ? "ended with status " + std::to_string(status) : problem) + "\n" +
                                 fileContents(log));
}

Error ModelProgram::describe() {
  std::string text;
  constexpr unsigned timeout = 60, timeoutOfBoard = 15;
  if (link_) {
    Expected<std::string> answer = link_->ask("describe", "", timeoutOfBoard);
    if (!answer)
      return answer.takeError();
    text = std::move(*answer);
  } else {
    std::string path = folder + "/description.json";
    if (Error error = execute({"describe", path}, folder + "/log", timeout))
      return error;
    text = fileContents(path);
  }
  Expected<json::Value> parsed = json::parse(json::fixUTF8(text));
  if (!parsed)
    return parsed.takeError();
  const json::Object &object = *parsed->getAsObject();
  model.sha256 = object.getString("sha256").value_or("").str();
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

static std::string inputsText(ArrayRef<HostArray> inputs) {
  std::string text;
  raw_string_ostream out(text);
  for (const HostArray &input : inputs)
    writeArray(out, input);
  return text;
}

Error ModelProgram::writeInputs(ArrayRef<HostArray> inputs, size_t others) const {
  if (Error error = checkInputs(model, inputs, others))
    return error;
  return writeFile(folder + "/in", inputsText(inputs));
}

Expected<RunResult> ModelProgram::count(ArrayRef<HostArray> inputs, BoardCounts &counts) const {
  if (Error error = checkInputs(model, inputs))
    return std::move(error);
  Expected<std::string> bytes = link_->ask("count", inputsText(inputs), 0);
  if (!bytes)
    return bytes.takeError();
  ByteReader in(*bytes);
  RunResult result = readOutputs(in);
  counts.tick = link_->instructionsPerTick();
  auto ticks = [&] { return static_cast<double>(in.number<int64_t>()) * (counts.tick > 0 ? counts.tick : 1); };
  if (result.status == 0) {
    counts.all = ticks();
    counts.stackBytes = in.number<int64_t>();
    for (size_t i = 0; i < model.kernels.size(); ++i)
      counts.kernels.push_back(ticks());
  }
  if (in.failed())
    return errorSaying("the model's program wrote less than it should");
  return result;
}

Expected<RunResult> ModelProgram::run(ArrayRef<HostArray> inputs, const RunOptions &options) const {
  if (link_) {
    if (Error error = checkInputs(model, inputs))
      return std::move(error);
    Expected<std::string> bytes = link_->ask("run", inputsText(inputs), options.timeout);
    if (!bytes)
      return make_error<ProgramDied>(toString(bytes.takeError()));
    return readResult(*bytes, options);
  }
  if (Error error = writeInputs(inputs, options.lastInputs.count))
    return std::move(error);
  std::string in = folder + "/in", out = folder + "/out";
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
  if (options.cold)
    arguments.insert(arguments.end(), {"--cold", std::to_string(options.cold)});
  if (options.unaligned)
    arguments.push_back("--unaligned");
  if (!weightsFile.empty()) {
    arguments.push_back("--weights");
    arguments.push_back(weightsFile);
  }
  if (options.lastInputs.count > 0)
    arguments.insert(arguments.end(), {"--last-inputs", options.lastInputs.path});
  if (!gpuDriver.empty())
    arguments.insert(arguments.end(), {"--driver", gpuDriver});
  if (!options.watched.empty()) {
    if (Error error = writeWatched(options.watched, folder + "/layers"))
      return std::move(error);
    arguments.insert(arguments.end(), {"--layers", folder + "/layers"});
  }
  if (Error error = execute(arguments, folder + "/log", options.timeout))
    return std::move(error);
  return readResult(fileContents(out), options);
}

Error ModelProgram::refuse(ArrayRef<HostArray> inputs, unsigned timeout) const {
  if (Error error = writeInputs(inputs))
    return error;
  std::vector<std::string> arguments = {"refuse", folder + "/in"};
  if (!weightsFile.empty())
    arguments.push_back(weightsFile);
  return execute(arguments, folder + "/log", timeout);
}

RunResult ModelProgram::readOutputs(ByteReader &in) const {
  RunResult result;
  result.status = in.number<int32_t>();
  for (size_t i = 0; result.status == 0 && i < model.outputs.size(); ++i)
    result.outputs.push_back(readArray(in, model.outputs[i]));
  if (result.status == 0 && !in.failed())
    clearUnread(result.outputs, model.outputs);
  return result;
}

Expected<RunResult> ModelProgram::readResult(StringRef bytes, const RunOptions &options) const {
  ByteReader in(bytes);
  RunResult result = readOutputs(in);
  if (result.status == 0 && !link_) {
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
    return errorSaying("the model's program wrote less than it should");
  return result;
}

Error checkInputs(const ModelInfo &model, ArrayRef<HostArray> inputs, size_t others) {
  if (inputs.size() + others != model.inputs.size())
    return errorSaying("the model has " + Twine(model.inputs.size()) + " inputs, " + Twine(inputs.size() + others) +
                       " were given");
  std::vector<int64_t> values(model.dims.size(), -1);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorInfo &expected = model.inputs[i];
    const HostArray &given = inputs[i];
    std::string name = "input '" + expected.name + "'";
    if (given.type != expected.type)
      return errorSaying(name + " is " + elementTypeName(expected.type) + ", " + elementTypeName(given.type) +
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
        return errorSaying(name + ": dim '" + dim.name + "' is " + Twine(given.dims[d]) + " here and " + Twine(value) +
                           " elsewhere");
      value = given.dims[d];
      if (value < dim.min || value > dim.max)
        return errorSaying(name + ": dim '" + dim.name + "' is " + Twine(value) + ", outside " + Twine(dim.min) + ".." +
                           Twine(dim.max));
    }
    if (!fits)
      return errorSaying(name + " is " + describe(expected.type, expected.dims) + ", " +
                         describe(given.type, given.dims) + " was given");
  }
  return Error::success();
}

} // namespace sinter
