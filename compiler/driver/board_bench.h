// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `sinter bench` says of a microcontroller: instructions counted on the emulated board, flash, arena, stack.
#pragma once

#include "driver/bench_sums.h"
#include "driver/build_program.h"
#include "driver/measure.h"
#include "driver/model_report.h"

#include "llvm/Support/raw_ostream.h"

namespace sinter {

struct BoardBench {
  std::string model, target;
  Board board;
  BoardCounts counts;
  Measured measured;
  ModelReport report;
  std::vector<BenchSum> byKernel = {}, byOperator = {}; ///< of instructions
};

void printBoardBench(const BoardBench &bench, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const BoardBench &bench);

} // namespace sinter
