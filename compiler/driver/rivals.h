// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other runtimes on the same model and inputs, for `sinter bench --against`. They are Python packages, driven by the
// embedded script oracle/rivals.py.
#pragma once

#include "driver/bench_result.h"
#include "driver/build_program.h"

namespace sinter {

/// The names in "onnxruntime,openvino"; the message says which is unknown.
llvm::Expected<std::vector<std::string>> parseRivals(llvm::StringRef list);

/// Whether Python has the packages; the message says which is missing.
llvm::Error checkRivals(llvm::ArrayRef<std::string> names);

/// Fills rivals and interleaved. With one thread, Sinter's library and the others are called in turn in one process;
/// with several, where each has a pool of its own, one after the other. An error: Python or a package is missing.
llvm::Error measureRivals(const BuiltProgram &built, llvm::ArrayRef<HostArray> inputs,
                          llvm::ArrayRef<std::string> names, double seconds, unsigned runs, BenchResult &result);

} // namespace sinter
