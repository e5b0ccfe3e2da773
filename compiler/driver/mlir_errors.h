// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MLIR says while our own code runs becomes a diagnostic: the user sees the node and a code, not a stack of notes.
#pragma once

#include "diagnostics/diagnostics.h"
#include "driver/verbs.h"

#include "mlir/IR/Diagnostics.h"

#include <set>

namespace sinter {

/// Listens as long as it lives.
class MlirErrors {
public:
  explicit MlirErrors(mlir::MLIRContext &context);

  std::vector<Problem> problems;
  std::set<std::string> remarks; ///< passes run several times on copies

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Reports what MLIR said, or that a step failed without a word. Gives `status` back.
ExitStatus failed(Diagnostics &diagnostics, const MlirErrors &errors, ExitStatus status);

} // namespace sinter
