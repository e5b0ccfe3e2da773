// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --tune: measures the choices of a model's compilation on this machine. Whole programs are built, in each of which
// every place of choice takes another option, so that there are as many programs as the place with most options has;
// they run in turn with the trace on, and each place is judged by the times of its own kernels, where they stand in the
// net. What is faster by a margin is put together, and kept if whole calls are faster too.
#pragma once

#include "driver/build_program.h"
#include "driver/tuning_choice.h"
#include "driver/tuning_file.h"

namespace sinter {

struct TuneFlags {
  Flag<std::string> file{FlagGroup::Code, "tune",
                         Says("measure kernels and tiles on this machine first, and keep in a file what is faster; "
                              "other builds take it with --tuned"),
                         Takes("file.json")};
  Flag<double> seconds{FlagGroup::Code, "tune-seconds",
                       Says("how long to measure: programs that are not built by then are not tried"), Takes("s"),
                       Initially(60)};
};

struct TuningOutcome {
  size_t sites = 0, changed = 0, programs = 0;
  double seconds = 0, usualSeconds = 0; ///< of a whole call
};

/// Measures, writes the file, and gives `job` what is in it. ExitOk, or the status to end with after a message.
ExitStatus tune(const TuneFlags &flags, llvm::StringRef cxx, llvm::StringRef optimization, CompileJob &job);

} // namespace sinter
