// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled model as a program of its own: built with the runner (runner/runner.cpp), run as a child, natively or
// through the target's runner; for a microcontroller an image (runner/board_runner.cpp), run on an emulated board. A
// crash, a hang or a sanitizer's complaint ends the child only.
#pragma once

#include "codegen/codegen.h"
#include "driver/board_link.h"
#include "driver/cxx.h"
#include "driver/host_array.h"
#include "graph/input_hints.h"

#include <memory>

namespace sinter {

class ByteReader;
class Staging;

/// The program did not end by itself with status 0: a crash, a sanitizer's complaint, a time limit.
class ProgramDied : public llvm::ErrorInfo<ProgramDied, llvm::StringError> {
public:
  static char ID;
  explicit ProgramDied(const llvm::Twine &what) : ErrorInfo(what, llvm::inconvertibleErrorCode()) {}
};

struct TensorInfo {
  std::string name; ///< of a part: VALUE.PART
  ElementType type = ElementType::Undefined;
  std::vector<int64_t> dims;    ///< the largest
  std::vector<int64_t> symbols; ///< per dim: index into ModelInfo::dims, -1 fixed, -2 computed
  int state = -1;          ///< of an input that the call updates: the place among the outputs of what it then holds
  int64_t growingDim = -1; ///< of a state that grows: along it the call uses a part of the buffer
  float scale = 0; ///< float in the model, integers here: real = scale * (value - zeroPoint); 0: as in the model
  int64_t zeroPoint = 0;
  int64_t arenaOffset = -1; ///< where it lies in the arena (--io-in-arena)
  std::string value = name; ///< what the tensor is or is a part of
  std::string part = {};    ///< of what is no tensor: which part
  InputHints hints = {};    ///< of an input
};
struct DimInfo {
  std::string name;
  int64_t min, max;
};
struct KernelInfo {
  std::string name;
  std::string nodes; ///< the ONNX nodes in it, separated by newlines
};
/// What the program says of itself: sinter_model_info. Outputs are the graph's: state is an input and an output.
struct ModelInfo {
  std::vector<TensorInfo> inputs, outputs;
  std::vector<DimInfo> dims;
  std::vector<KernelInfo> kernels;
  int64_t arenaBytes = 0, weightsBytes = 0;
  std::string sha256;    ///< of the model's file
  std::string forms;     ///< --input and --output, as InterfaceForms::json() has them
  std::string customOps; ///< of oracles, as customOpsJson() has it
};

/// A buffer to be seen behind the kernel that writes it.
struct WatchedBuffer {
  int64_t kernel, output; ///< number of the call, and of the buffer among what it writes
  int64_t elementBytes;
  std::vector<int64_t> sizes, strides;
};

struct RunOptions {
  double seconds = 0;
  int64_t runs = 1;
  int64_t unmeasured = 0; ///< before these
  int64_t cold = 0;       ///< bytes of other memory that are read before each run
  int threads = 1;
  bool trace = false;
  bool unaligned = false;             ///< tensors at addresses that are multiples of their element and of no more
  unsigned timeout = 0;               ///< seconds; 0: none
  std::vector<WatchedBuffer> watched; ///< not with `trace`
  struct InputsFile {
    std::string path; ///< each as writeArray() has it
    size_t count = 0;
  } lastInputs; ///< behind those that run() is given
};

/// One call of a kernel; times in seconds since the begin of the run.
struct KernelEvent {
  int64_t kernel; ///< index into ModelInfo::kernels
  double start, seconds;
};

struct RunResult {
  int status = 0; ///< of the C ABI
  std::vector<HostArray> outputs;
  std::vector<double> seconds;      ///< of each run
  std::vector<std::string> watched; ///< per watched buffer its elements, gapless; empty if its kernel did not run
  // With RunOptions::trace:
  std::vector<double> kernelSeconds; ///< least of each kernel, all its calls in a run together
  std::vector<KernelEvent> events;   ///< of the fastest run
};

/// What one call costs on a board.
struct BoardCounts {
  double all = 0;              ///< instructions of an emulated board, cycles of another
  double tick = 0;             ///< what instructions are exact to; 0: they are cycles
  int64_t stackBytes = -1;     ///< -1: not known
  std::vector<double> kernels; ///< of each, all its calls together
};

/// What a status of the C ABI means.
llvm::StringRef statusText(int status);

/// Writes the files of runner/ into a folder.
llvm::Error writeRunnerSources(llvm::StringRef folder);

/// Of a decoder whose session lies in `folder`: one of the main functions around it, "generate.cpp" or "chat.cpp", as
/// an object. `defined`: macros that it takes besides those of runner/session_program.h, "NAME=text".
llvm::Expected<std::string> compileSessionProgram(const Cxx &cxx, llvm::StringRef folder, const CodegenOptions &options,
                                                  llvm::StringRef main, llvm::ArrayRef<std::string> defined = {});

/// The runner as an object for models of this prefix, in a folder in `folder`.
llvm::Expected<std::string> compileRunner(const Cxx &cxx, llvm::StringRef folder, llvm::StringRef prefix,
                                          llvm::ArrayRef<std::string> flags = {});

/// The mem functions for images without a C library, as an object in a folder in `folder`.
llvm::Expected<std::vector<std::string>> compileMemory(const Cxx &cxx, llvm::StringRef folder);

/// Where a program runs that does not run on this machine: --board and --runner.
struct BoardChoice {
  std::string board;  ///< an emulated board, the target's first if empty; with a runner of images, a linker script
  std::string runner; ///< see board_link.h
};

class ModelProgram {
public:
  /// Links objects of a model with a runner's object in `folder`, which must outlive this, and asks the program what it
  /// is.
  static llvm::Expected<std::unique_ptr<ModelProgram>> link(const Target &target, const Cxx &cxx,
                                                            llvm::StringRef folder, llvm::ArrayRef<std::string> objects,
                                                            llvm::StringRef runner, const BoardChoice &choice = {});
  /// A program that the user has put on a board and that answers over a serial line.
  static llvm::Expected<std::unique_ptr<ModelProgram>> connect(llvm::StringRef folder, llvm::StringRef runner);
  const ModelInfo &info() const { return model; }
  /// For models built with --weights=file.
  void setWeightsFile(std::string path);
  /// The library that stands in for the GPU's driver.
  void setGpuDriver(std::string path) { gpuDriver = std::move(path); }
  void setForms(std::string json) { model.forms = std::move(json); }
  /// By inputs' names.
  void setInputHints(const llvm::StringMap<InputHints> &hints) {
    for (TensorInfo &input : model.inputs)
      input.hints = hints.lookup(input.value);
  }
  void setCustomOps(std::string json) { model.customOps = std::move(json); }
  /// The way to its board; null where it runs on this machine.
  const BoardLink *board() const { return link_.get(); }
  /// What the board is called, and what it is, for a headline.
  llvm::StringRef boardName() const { return nameOfBoard; }
  llvm::StringRef boardSummary() const { return summaryOfBoard; }
  /// Inputs in the model's order. The error is for children that did not end by themselves; a status other than 0 is a
  /// result.
  llvm::Expected<RunResult> run(llvm::ArrayRef<HostArray> inputs, const RunOptions &options = {}) const;
  /// Calls it as the C ABI forbids, one thing at a time, at the sizes of these inputs, with memory that must not be
  /// touched. The error says which call did not end with the status that it should. Not on boards.
  llvm::Error refuse(llvm::ArrayRef<HostArray> inputs, unsigned timeout) const;
  /// Runs it on its board and counts what a call costs there.
  llvm::Expected<RunResult> count(llvm::ArrayRef<HostArray> inputs, BoardCounts &counts) const;

private:
  ModelProgram(std::string folder, std::vector<std::string> command)
      : folder(std::move(folder)), command(std::move(command)) {}
  llvm::Error describe();
  /// `script`: of the linker, the name of a file in the runner's folder.
  llvm::Error makeImage(const Cxx &cxx, llvm::ArrayRef<std::string> objects, llvm::StringRef script);
  llvm::Error writeInputs(llvm::ArrayRef<HostArray> inputs, size_t others = 0) const;
  /// Status and outputs.
  RunResult readOutputs(ByteReader &in) const;
  llvm::Expected<RunResult> readResult(llvm::StringRef bytes, const RunOptions &options) const;
  /// Runs the program; the message says how it ended.
  llvm::Error execute(llvm::ArrayRef<std::string> arguments, llvm::StringRef log, unsigned timeout) const;

  std::string folder;
  std::vector<std::string> command; ///< the runner, if any, and the program
  std::unique_ptr<BoardLink> link_;
  std::string nameOfBoard, summaryOfBoard;
  std::string weightsFile, gpuDriver;
  ModelInfo model;
};

/// An input as runner/runner.cpp reads it.
void writeArray(llvm::raw_ostream &out, const HostArray &array);

/// Whether these inputs fit the model: number, types, shapes, bounds of dims. The message names the input. `others`:
/// how many come behind them.
llvm::Error checkInputs(const ModelInfo &model, llvm::ArrayRef<HostArray> inputs, size_t others = 0);

} // namespace sinter
