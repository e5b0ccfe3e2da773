// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `sinter bench` measured, and its printers: text, JSON, a trace for chrome://tracing and Perfetto.
#pragma once

#include "driver/bench_sums.h"
#include "driver/model_program.h"
#include "driver/model_report.h"
#include "driver/peak.h"

#include "llvm/Support/raw_ostream.h"

namespace sinter {

/// Times of whole calls.
struct Times {
  double least = 0, median = 0, p99 = 0;
  size_t calls = 0;
};
Times summarize(std::vector<double> seconds);

/// A program that was measured beside ours on the same inputs; `problem`: why it could not be.
struct Rival {
  std::string name, version, problem;
  Times times;
  double first = 0; ///< seconds from loading it and the model to the first result; 0: not measured
};

struct BenchResult {
  std::string model, target, processor;
  bool emulated = false;
  int threads = 1;
  int64_t coldBytes = 0; ///< of other memory, read before each call
  Times call;
  std::vector<double> kernelSeconds; ///< least of each, as ModelReport::kernels
  std::vector<KernelEvent> events;   ///< of the fastest traced run
  double tracedSeconds = 0;          ///< the least of a traced call
  ModelReport report;
  std::optional<Peak> peak; ///< none under emulation
  bool interleaved = false;
  std::vector<BenchSum> byKernel, byOperator;
  std::vector<Rival> rivals; ///< the first is sinter, where there are any
};

void printBench(const BenchResult &result, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const BenchResult &result);
void printChromeTrace(const BenchResult &result, llvm::raw_ostream &out);

} // namespace sinter
