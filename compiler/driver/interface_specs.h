// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --input NAME=u8,nhwc,... and --output NAME=argmax say of the interface.
#pragma once

#include "diagnostics/diagnostics.h"
#include "graph/interface_forms.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace sinter {

struct InterfaceForms {
  std::vector<InputForm> inputs;
  std::vector<OutputForm> outputs;

  bool empty() const { return inputs.empty() && outputs.empty(); }
  /// For oracle/oracle.py, which makes the model's inputs of the caller's and the caller's outputs of the model's.
  std::string json() const;
};

/// Whether what stands behind NAME= is a form, and no file: its first word is one of a form's.
bool isInputForm(llvm::StringRef text);
llvm::Expected<InputForm> parseInputForm(llvm::StringRef text);
llvm::Expected<OutputForm> parseOutputForm(llvm::StringRef text);

/// On node IR. Reports names that are unknown and forms that cannot be.
mlir::LogicalResult applyForms(mlir::ModuleOp module, const InterfaceForms &forms, Diagnostics &diagnostics);

} // namespace sinter
