// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From tensor IR to planned IR: which passes, in which order.
#pragma once

#include "memory/regions.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// What comes first where they exclude each other: --fit=balanced|speed|ram. The module's attribute `sinter.fit` tells
/// passes, which have the first where there is none.
enum class Fit { Balanced, Speed, Ram };
/// How sums of quantized nets are multiplied by their factors: --requant=float|fixed.
enum class Requant { Float, Fixed };

/// Looks at the IR behind a pass.
using ObserveFn = std::function<void(llvm::StringRef pass, mlir::ModuleOp module)>;

struct PipelineOptions {
  Fit fit = Fit::Balanced;
  /// The most bytes that feature maps may take in stripes, by estimate, where their costs allow more than Fit::Ram asks
  /// for (--arena-limit).
  std::optional<int64_t> stripeBytes;
  std::optional<int64_t> foldSteps; ///< --fold-limit: work at compile time beside what weights allow
  Requant requant = Requant::Float;
  std::vector<RamRegion> ram;              ///< --ram: the parts of the arena, the fastest first; none: it is one
  bool ioInArena = false;                  ///< --io-in-arena: inputs and outputs have their places in the plan
  std::vector<std::string> disabledPasses; ///< --disable-pass=NAME
  std::vector<std::string> dumpAfter;      ///< --dump-after=PASS; "all": after each
  llvm::raw_ostream *dumpStream = nullptr; ///< where dumps go; stderr if null
  ObserveFn observe;                       ///< called after each pass, if there is one
};

/// As flags name them, the default first.
struct FitMode {
  llvm::StringRef name;
  Fit fit;
};
llvm::ArrayRef<FitMode> fitModes();

/// Nullopt, or what is wrong with the options: a pass unknown, or one that cannot be switched off.
std::optional<std::string> checkOptions(const PipelineOptions &options);

/// Changes `module` in place. Fails after an MLIR error: what the user can do about is said by conversion, so an error
/// here is internal, or a size without a bound.
mlir::LogicalResult compileToPlannedIR(mlir::ModuleOp module, const PipelineOptions &options = {});

} // namespace sinter
