// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of a model. The first one runs at all sizes that calls may have; behind it there may be exact copies,
// each for some sizes of dims (--specialize), or for calls that ask for no outputs but states. They share interface,
// kernel functions, weights and the arena's bytes; `run` looks at the outputs and dims of a call and takes the first
// copy that is for it. Of several CPUs each has such a list, in a source of its own (cpus.h).
#pragma once

#include "codegen/abi/abi_header.h"
#include "codegen/run/run_printer.h"

#include <memory>

namespace sinter {

/// A size that a call's dim has where an exact copy runs.
struct ExactSize {
  Identifier dim; ///< the member of the inputs
  std::string name;
  int64_t size;
};

struct PrintedProgram {
  mlir::ModuleOp module;
  std::vector<ExactSize> sizes; ///< none: all sizes
  bool onlyStates = false;      ///< of outputs it makes none but states
  std::string cpu;              ///< that it is for, where the model is compiled for several: "x86-64-v3"
  Identifier function;          ///< `run`, where there is but one; else `run_seq_1`
  int64_t arenaBytes = 0;
  std::unique_ptr<RunPrinter> run;     ///< once it is printed
  size_t firstCall = 0, callCount = 0; ///< of KernelList::calls
};

/// Of planned modules, the first of them for all sizes. The arenas of `interface` become as large as any needs them.
mlir::FailureOr<std::vector<PrintedProgram>> programsOf(llvm::ArrayRef<mlir::ModuleOp> planned, Interface &interface,
                                                        llvm::StringRef macroPrefix);
/// Prints what each does, which collects the kernels of all.
mlir::LogicalResult printPrograms(std::vector<PrintedProgram> &programs, const Interface &interface,
                                  KernelList &kernels, const CodegenOptions &options);
/// With copies: `run`, which calls the one that is for a call. `rest`: the parameters behind in and out, and
/// their names.
void printDispatch(Printer &out, const Interface &interface, llvm::ArrayRef<PrintedProgram> programs,
                   const ModelNames &names, const PrintedCode &parameters, const PrintedCode &arguments);
/// "seq = 1, batch = 4", "states alone"; nothing: for all calls.
std::string copyText(llvm::ArrayRef<ExactSize> sizes, bool onlyStates);
/// `out.y || out.z`: whether a call asks for outputs.
PrintedCode asksForOutputs(const Interface &interface);

} // namespace sinter
