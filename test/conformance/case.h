// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One conformance case: what it is, how it is run, what came of it. The driver around it: main.cpp.
#pragma once

#include "driver/emulated_gpu.h"

#include <string>
#include <vector>

namespace sinter::conformance {

struct Case {
  std::string kind, name;
  double rtol = 1e-3, atol = 1e-7;
  bool random = false;            ///< an output is a random draw: only its type and shape are compared
  std::vector<std::string> flags; ///< of the compiler, for this case
};

/// Reads cases.tsv.
std::vector<Case> readCases(llvm::StringRef folder, std::string &problem);

enum class Outcome : char {
  Passed = 'P',
  PassedShape = 'S',  ///< random, types and shapes agree
  RecordingOff = 'O', ///< outputs differ from a recording that float64 says is the worse of the two (recording.h)
  Rejected = 'R',     ///< the compiler said no, with a diagnostic
  Wrong = 'W',        ///< outputs differ
  Failed = 'F',       ///< the compiler crashed, took too long or gave up
  Broken = 'B',       ///< the generated code does not compile, for the device too, or its program dies
};
llvm::StringRef outcomeText(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::Failed;
  std::string reason;
  std::string ofOneThread = {}; ///< on a GPU: what kernels that one thread computes do
  double seconds = 0;
};

/// The same for all cases.
struct Setup {
  std::string cases;              ///< folder
  std::string cache;              ///< folder: sources that passed before need no second build
  std::vector<std::string> flags; ///< of the compiler, for all cases
  bool onlyCubins = false;        ///< of a GPU: nothing is run, NVRTC compiles the device code
  bool sanitize = false;          ///< generated code stops at what it must not do, and is called as it must not be
  Target target;
  Cxx cxx;
  std::string runner;                 ///< the runner's object
  std::optional<Emulation> emulation; ///< of a GPU, where there is none
};

/// Compiles, builds, runs all data sets, compares; with `sanitize`, runs also with tensors that are aligned no better
/// than they must be, and makes the calls that are to be refused. To be called in a child process: it may crash.
Verdict runCase(const Case &one, const Setup &setup);

} // namespace sinter::conformance
