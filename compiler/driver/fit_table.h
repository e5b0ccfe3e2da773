// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sinter analyze --fit`: the ways to compile a model of which none is beaten in RAM and in work by another.
#pragma once

#include "driver/compile_flags.h"
#include "driver/model_report.h"

#include "llvm/Support/Error.h"

namespace sinter {

/// A way to compile a model.
struct FitPoint {
  std::string flags; ///< that give it, besides the user's: "--fit ram", "--arena-limit 8192"; empty: none
  int64_t arenaBytes = 0, weightsBytes = 0;
  std::optional<int64_t> flashBytes; ///< all that the net brings into an image, where it is counted on a board
  double work = 0;                   ///< instructions, counted on an emulated board; else ModelReport::rowTilingWork
};

struct FitTable {
  std::string model, target;
  bool isCounted = false;
  double defaultWork = 0;       ///< without further flags
  bool speedIsDefault = false;  ///< --fit speed finds nothing that is faster
  std::vector<FitPoint> points; ///< by falling arena
};

/// Compiles the model in several ways: as each --fit, and with limits of the arena down to the least. `counts`: runs
/// each on its board, which takes a C++ compiler and QEMU. Without points: it cannot be compiled.
llvm::Expected<FitTable> makeFitTable(const CompileFlags &flags, CompileJob job, bool counts);

void printFitTable(const FitTable &table, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const FitTable &table);

} // namespace sinter
