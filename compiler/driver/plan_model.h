// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a .onnx file to planned IR: import, conversion, passes. Each step is a call; what it does is in its own folder.
#pragma once

#include "driver/compile_model.h"

#include "mlir/IR/OwningOpRef.h"

namespace sinter {

struct PlannedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelSummary summary;               ///< the files that it names are mapped as long as the module is there
  llvm::StringMap<std::string> nodes; ///< what they are, by name
  llvm::StringMap<InputHints> inputHints;
};

/// ExitOk, or the status to end with after printing `diagnostics`.
ExitStatus planModel(const CompileJob &job, mlir::MLIRContext &context, Diagnostics &diagnostics,
                     PlannedModel &planned);

} // namespace sinter
