// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes depend on beside the module. A pass takes of it what it names: LogicalResult f(ModuleOp, const Target &,
// Fit) gets those two.
#pragma once

#include "target/target.h"
#include "target/tuned_choices.h"
#include "target/wishes.h"

#include "mlir/IR/BuiltinOps.h"
#include <tuple>

namespace sinter {

struct PassContext {
  Target target;
  Fit fit = Fit::Balanced;
  Requant requant = Requant::Float;
  Threads threads;
  FoldLimit foldLimit;
  RowTilingBudget rowTilingBudget;
  TunedChoices tuned;

  /// The member of that type.
  template <class T>
  const T &get() const {
    return std::get<const T &>(std::tie(target, fit, requant, threads, foldLimit, rowTilingBudget, tuned));
  }
};

/// Stands at the module for those who read a dump, and for sinter-opt.
void noteContext(mlir::ModuleOp module, const PassContext &context);
/// What a module says: `sinter.target` ("cortex-m4", or a description as findTarget takes it), `sinter.fit`,
/// `sinter.requant`, `sinter.threads`, `sinter.fold_steps`, `sinter.row_tiling_bytes`, `sinter.maps_apart`. Without a
/// target it is one with vectors of 64 bytes and no kernels of bytes. Fails after an MLIR error.
mlir::FailureOr<PassContext> contextOf(mlir::ModuleOp module);

/// A pass as the table holds it: what it names is taken from the context.
template <auto pass>
struct WithContext;
template <class... Arguments, mlir::LogicalResult (*pass)(mlir::ModuleOp, Arguments...)>
struct WithContext<pass> {
  static mlir::LogicalResult run(mlir::ModuleOp module, const PassContext &context) {
    return pass(module, context.get<std::decay_t<Arguments>>()...);
  }
};

} // namespace sinter
