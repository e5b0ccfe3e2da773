// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From node IR to planned IR: which passes, in which order.
#pragma once

#include "memory/arenas.h"
#include "pass_runner.h"

namespace sinter {

struct PipelineOptions : PassOptions {
  Fit fit = Fit::Balanced;
  /// The most bytes that feature maps may take in row tiles, by estimate, where their costs allow more than Fit::Ram
  /// asks for (--arena-limit).
  std::optional<int64_t> rowTilingBytes;
  std::optional<int64_t> foldSteps; ///< --fold-limit: work at compile time beside what weights allow
  Requant requant = Requant::Float;
  std::vector<Arena> ram; ///< --ram: the parts of the arena, the fastest first; none: it is one
  bool ioInArena = false; ///< --io-in-arena: inputs and outputs have their places in the plan
};

/// As flags name them, the default first.
struct FitMode {
  llvm::StringRef name;
  Fit fit;
};
llvm::ArrayRef<FitMode> fitModes();

/// Node IR as conversion wants it. Changes `module` in place.
mlir::LogicalResult simplifyNodes(mlir::ModuleOp module, PassRunner &runner);

/// From tensor IR, in place. Fails after an MLIR error: what the user can do about is said by conversion, so an error
/// here is internal, or a size without a bound.
mlir::LogicalResult compileToPlannedIR(mlir::ModuleOp module, const PipelineOptions &options, PassRunner &runner);

} // namespace sinter
