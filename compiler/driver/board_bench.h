// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `sinter bench` says of a board: instructions counted on an emulated one or cycles on another, flash, arena,
// stack.
#pragma once

#include "driver/bench_sums.h"
#include "driver/build_program.h"
#include "driver/measure.h"
#include "driver/model_report.h"

#include "llvm/Support/raw_ostream.h"

namespace sinter {

struct BoardBench {
  std::string model, target;
  std::string board, boardSummary; ///< its name, and what it is
  BoardCounts counts;
  std::optional<Measured> measured; ///< not of a program that the user has linked
  ModelReport report;
  std::vector<BenchSum> byKernel = {}, byOperator = {}; ///< of instructions
};

void printBoardBench(const BoardBench &bench, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const BoardBench &bench);

} // namespace sinter
