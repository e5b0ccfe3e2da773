// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What run, verify and bench begin with: a model becomes a program in a temporary folder.
#pragma once

#include "driver/compile_flags.h"
#include "driver/model_program.h"
#include "driver/staging.h"

namespace sinter {

class Progress;

struct BuiltProgram {
  CompileJob job;
  bool isTrial = false;             ///< one of several: what the compiler has to say was said
  bool isTimed = false;             ///< the runner's own time counts too
  std::unique_ptr<Staging> staging; ///< the folder it lives in
  CompiledModel compiled;
  Cxx cxx;
  std::vector<std::string> objects; ///< of the model
  std::unique_ptr<ModelProgram> program;

  /// Whether calls need env.weights: --weights=file, and there are some.
  bool callerBringsWeights() const {
    return job.codegen.weights == "file" && llvm::is_contained(compiled.files, weightsFileName(job.codegen));
  }
};

/// Where the program runs.
struct BoardFlag {
  Flag<std::string> board{"board",
                          Says("the emulated board, for a microcontroller (default: the target's first); with --runner "
                               "of images, a linker script"),
                          Takes("name|file.ld")};
  Flag<std::string> runner{
      "runner",
      Says("your own board: serial:DEVICE[@BAUD], a command that is such a line, or one that starts "
           "an image with semihosting, with {image}, {mode}, {weights} and {folder} in it"),
      Takes("command")};
  BoardChoice choice() const { return {board, runner}; }
};

/// Compiles, builds, links. ExitOk, or the status to end with; messages were printed. Progress shows on a terminal.
ExitStatus buildProgram(const CompileFlags &flags, const BoardChoice &choice, BuiltProgram &built);
/// The same where `built.job` is set. `cxx`: the compiler, empty for the target's own.
ExitStatus buildProgram(llvm::StringRef cxx, llvm::StringRef optimization, const BoardChoice &choice,
                        BuiltProgram &built);

/// Runs it; ExitOk, or the status to end with, once `progress` made way for a message.
ExitStatus runProgram(const ModelProgram &program, llvm::ArrayRef<HostArray> inputs, const RunOptions &options,
                      Progress &progress, RunResult &result);

/// The same, on its board, counting.
ExitStatus countProgram(const ModelProgram &program, llvm::ArrayRef<HostArray> inputs, Progress &progress,
                        BoardCounts &counts);

} // namespace sinter
